import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** Whether certificates can be made here; says so loudly when not, since the tests of them are then left out. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

if (!hasOpenssl) console.warn('LEFT OUT: the tests of certificates need openssl; install it and run again.')

/** A certificate that only itself vouches for, and its key, as PEM. */
export function selfSigned(hostname: string): { readonly key: string; readonly cert: string } {
  const folder = temporaryFolder()
  try {
    const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')]
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
    const name = ['-subj', `/CN=${hostname}`, '-addext', `subjectAltName=DNS:${hostname}`]
    execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', cert, ...name], { stdio: 'ignore' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    folder.remove()
  }
}
