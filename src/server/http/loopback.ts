/** Whether an address is this machine's own and nobody else can reach it: exactly these four names are. */
export function isLoopback(host: string): boolean {
  return ['localhost', '127.0.0.1', '::1', '[::1]'].includes(host.toLowerCase())
}
