// Makes sure of the few programs that tests use and npm does not carry. As root on Debian they are installed;
// anywhere else the tests that need them are named, loudly, and left out.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const programs = [
  { program: 'strace', package: 'strace', tests: 'counting the syncs of the SQLite store' },
  { program: 'script', package: 'bsdutils', tests: 'answering an ask by keyboard in a pseudo-terminal' },
  { program: 'openssl', package: 'openssl', tests: 'certificates of hosts and clients' },
  { program: 'python3', package: 'python3', tests: 'the Python client, and the vectors for hosts' },
]

const found = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const run = (command, args) =>
  spawnSync(command, args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    .status === 0

const missing = programs.filter(({ program }) => !found(program))
if (missing.length > 0 && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
  const names = missing.map((each) => each.package)
  if (!run('apt-get', ['install', '-y', '--no-install-recommends', ...names])) {
    run('apt-get', ['update'])
    run('apt-get', ['install', '-y', '--no-install-recommends', ...names])
  }
}
for (const { program, tests } of missing.filter((each) => !found(each.program))) {
  console.warn(`\n*** LEFT OUT: "${program}" is not installed, so these tests do not run: ${tests}. ***\n`)
}
