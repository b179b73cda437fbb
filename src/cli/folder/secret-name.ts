import { posix } from 'node:path'

const secretNames = [
  /^\.env(\..+)?$/,
  /^\.(npmrc|netrc|pypirc|pgpass|htpasswd|git-credentials)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx)$/,
  /^credentials(\.(json|ya?ml|toml))?$/,
]

/** Names that end like this hold no secrets: they show others what to fill in. */
const harmless = /\.(example|sample|template|dist)$/

/**
 * Whether a file is likely to hold secrets, by its name and place. A model at a provider would send it out of
 * the house, so a person is asked before it is read, and searches pass it over.
 */
export function isSecretPath(path: string): boolean {
  const parts = path.toLowerCase().split('/')
  if (parts.includes('.git') || parts.includes('.toolpost') || parts.includes('.ssh')) return true
  const name = posix.basename(path.toLowerCase())
  return !harmless.test(name) && secretNames.some((pattern) => pattern.test(name))
}
