import { pathToFileURL } from 'node:url'

// A child process of the tests: runs the programs that it is given one after another, a zero byte before each.
for (const file of process.argv.slice(2)) {
  process.stdout.write('\0')
  process.stderr.write('\0')
  try {
    await import(pathToFileURL(file).href)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  }
}
