import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'

interface Growth {
  readonly grown: number
}

/** Runs a fixture in a process of its own, in which a rejection that nobody handles is fatal. */
function growthOf(fixture: string): Promise<Growth> {
  const path = new URL(`./fixtures/${fixture}.ts`, import.meta.url).pathname
  const child = spawn(process.execPath, ['--expose-gc', '--unhandled-rejections=strict', path])
  let out = ''
  let error = ''
  child.stdout.on('data', (data) => {
    out += data
  })
  child.stderr.on('data', (data) => {
    error += data
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0 && error === '') resolve(JSON.parse(out))
      else reject(new Error(`The fixture ended with ${code}: ${error}`))
    })
  })
}

const guardMs = 120_000

test(
  'five thousand runs under one signal that lives on leave nothing on the heap',
  async () => {
    expect((await growthOf('shared-signal')).grown).toBeLessThan(2)
  },
  guardMs,
)

test(
  'ten thousand rejected promises, late ones too, leave the heap flat and no rejection unhandled',
  async () => {
    expect((await growthOf('rejections')).grown).toBeLessThan(4)
  },
  guardMs,
)
