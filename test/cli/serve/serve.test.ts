import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { environment, node } from '../fixture.ts'

const source = new URL('../../../src/', import.meta.url).href
const token = 'x'.repeat(32)

const config = `
import { scriptedModel } from '${source}models/scripted.ts'
const docs = { models: { small: scriptedModel(['Hello.']) } }
export default {
  host: { providers: { docs }, applicationTools: { enabled: true } },
  serve: { port: 0, tokens: [{ token: '${token}', subject: 'ann', providers: ['docs'] }] },
}
`

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a configured host says where it listens, and %s ends it',
  async (signal) => {
    const folder = temporaryFolder()
    try {
      writeFileSync(join(folder.path, 'toolpost.config.mjs'), config)
      const run = `import { serveConfigured } from '${source}cli/commands/serve.ts'
      process.exitCode = await serveConfigured({ config: 'toolpost.config.mjs', json: true })`
      const words = ['--input-type=module', '--eval', run]
      const child = spawn(node, words, {
        cwd: folder.path,
        env: environment(),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'exit')
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const said = JSON.parse((await lines.next()).value ?? '')
      expect(said).toMatchObject({
        type: 'serve',
        providers: { docs: ['small'] },
        applicationTools: 'reviewed',
      })
      expect(JSON.stringify(said)).not.toContain(token)
      const asked = { provider: 'docs', model: 'small', input: 'Hi.' }
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(`${said.url}/v1/runs`, {
        method: 'POST',
        headers,
        body: JSON.stringify(asked),
      })
      expect(await answer.json()).toMatchObject({ text: 'Hello.' })
      child.kill(signal)
      expect(JSON.parse((await lines.next()).value ?? '')).toEqual({ type: 'closing', signal })
      expect(await ended).toEqual([0, null])
    } finally {
      folder.remove()
    }
  },
)
