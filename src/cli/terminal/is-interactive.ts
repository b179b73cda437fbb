/** Whether a person sits at the terminal: both ends are one, no CI is set, and input was not switched off. */
export function isInteractive(options: { readonly input?: boolean; readonly json?: boolean }): boolean {
  if (options.input === false || options.json === true || isCi(process.env.CI)) return false
  return process.stdin.isTTY === true && process.stdout.isTTY === true
}

function isCi(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false'
}
