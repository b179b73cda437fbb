/**
 * What the page may do: run its own scripts and nothing else. It makes no request itself, and no text becomes code
 * in it: the reader's code runs in the worker, which has a policy of its own.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "worker-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/**
 * What the worker may do; whoever serves the site sends it with the worker's script (`assets/cell-worker-*.js`).
 * `unsafe-eval` is for the reader's own code. Connections are for the one cell with a key: to whatever endpoint the
 * reader names, over TLS or on the reader's own machine.
 */
export const workerPolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-eval'",
  'connect-src https: http://localhost:* http://127.0.0.1:*',
].join('; ')
