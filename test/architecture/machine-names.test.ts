import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machineNames } from './machine-names.ts'
import { repository } from './source.ts'
import { trackedFiles } from './tracked.ts'

test('no file of the repository names a machine or the host of a registry', () => {
  // The lock file is npm's: it has to say where packages come from.
  const paths = trackedFiles().filter((path) => path !== 'package-lock.json')
  const named = paths.flatMap((path) => {
    const text = readFileSync(join(repository, path), 'utf8')
    return machineNames(text).map((place) => `${path}:${place}`)
  })
  expect(named).toEqual([])
})

test('the lock file takes every package from the public registry', () => {
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string }>
  }
  const hosts = Object.values(lock.packages).flatMap(({ resolved }) =>
    resolved === undefined ? [] : [new URL(resolved).host],
  )
  expect([...new Set(hosts)].filter((host) => host !== ['registry', 'npmjs', 'org'].join('.'))).toEqual([])
})

test('a machine is recognised by a home, a drive, a scratch folder and a registry', () => {
  const slash = '/'
  const named = [
    `file:${slash}${slash}${slash}home/ada/notes.md`,
    `see ${slash}home/ada/notes.md`,
    `cd ${slash}root/project`,
    `"${slash}work/main/src"`,
    `C:\\Users\\ada`,
    `${slash}tmp/tmp.8271/out`,
    `https:${slash}${slash}registry.example.org/x`,
  ]
  expect(named.filter((text) => machineNames(text).length === 0)).toEqual([])
})

test('a path of an address, a pointer and a relative path are no machine', () => {
  expect(
    machineNames(`https://shop.example/${'work'}/1 "#/$defs/${'root'}/x" ../home/a/b node_modules/x`),
  ).toEqual([])
})
