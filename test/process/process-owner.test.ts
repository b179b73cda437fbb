import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { processOwner } from '../../src/process/process-owner.ts'
import { node } from '../cli/fixture.ts'

const module = new URL('../../src/process/process-owner.ts', import.meta.url).href

/** A process that tells its name as an owner and lives until it is killed. */
async function otherOwner() {
  const script = `import { processOwner } from ${JSON.stringify(module)}; console.log(processOwner().name); setInterval(() => {}, 1e6)`
  const child = spawn(node, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [name] = await once(child.stdout, 'data')
  return { child, name: String(name).trim() }
}

test('another process counts as ended once it was killed, and not before', async () => {
  const { hasEnded } = processOwner()
  const { child, name } = await otherOwner()
  expect(hasEnded(name)).toBe(false)
  expect(hasEnded(`${name}/owner_1`)).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(hasEnded(name)).toBe(true)
  expect(hasEnded(`${name}/owner_1`)).toBe(true)
})

test('this process has not ended', () => {
  const owner = processOwner()
  expect(owner.hasEnded(owner.name)).toBe(false)
  expect(processOwner().name).toBe(owner.name)
})

test('a pid that was given out again is another process, where start times can be read', () => {
  const { name, hasEnded } = processOwner()
  const [kind, host, pid, startedAt, space] = name.split(':')
  const earlier = [kind, host, pid, `${startedAt}0`, space].join(':')
  expect(hasEnded(earlier)).toBe(startedAt !== '')
})

test('of owners elsewhere nothing is certain: another host, another boot or container, another kind', () => {
  const { name, hasEnded } = processOwner()
  const [kind, host, , startedAt, space] = name.split(':')
  const gone = '4194303'
  expect(hasEnded([kind, 'elsewhere', gone, startedAt, space].join(':'))).toBe(false)
  expect(hasEnded([kind, host, gone, startedAt, 'elsewhere'].join(':'))).toBe(false)
  expect(hasEnded('owner_0123456789')).toBe(false)
  expect(hasEnded('')).toBe(false)
  expect(hasEnded(`process:${host}:none:1:${space}`)).toBe(false)
})
