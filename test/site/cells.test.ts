import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noKey } from '../../site/src/notebook.ts'
import { cellsOf, parsePage } from '../../site/src/page.ts'
import { type WireServer, wireServer } from '../../src/testing/wire/wire-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { hasChromium, openChromium } from './chromium.ts'
import { serveAcrossOrigins, serveSite, type TestServer } from './site-server.ts'

const source = readFileSync(new URL('../../site/pages/tools.md', import.meta.url), 'utf8')
const cells = cellsOf(parsePage(source))
const keyCell = cells.find(({ needsKey }) => needsKey)!
const key = 'sk-of-the-reader'

const opened = new AsyncDisposableStack()
let site: TestServer
let provider: WireServer
let endpoint: TestServer
let context: BrowserContext
let page: Page
/** The addresses of all requests of all pages and their workers. */
const requested: string[] = []
/** What the browser complained about: errors, and what the policies refused. */
const complaints: string[] = []

async function buildSite(outDir: string): Promise<void> {
  const program = fileURLToPath(new URL('./build-site.ts', import.meta.url))
  const { NODE_ENV: _, ...env } = process.env
  await promisify(execFile)(process.execPath, [program, outDir], { env })
}

async function openBrowser(): Promise<void> {
  const { browser, close } = await openChromium()
  opened.defer(close)
  context = await browser.newContext()
  context.on('request', (request) => requested.push(request.url()))
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => complaints.push(message.text()))
}

async function openPage(): Promise<Page> {
  const fresh = await context.newPage()
  await fresh.goto(site.origin)
  return fresh
}

const cellOf = (on: Page, number: number) => on.locator(`[data-cell="${number}"]`)
const statusOf = (cell: Locator) => cell.getByRole('status')
const press = (cell: Locator, name: string) => cell.getByRole('button', { name, exact: true }).click()
const write = (cell: Locator, code: string) => cell.getByRole('textbox', { name: 'Code of cell' }).fill(code)

/** What a cell shows, as its page writes it down: values have a sign before them. */
async function shownBy(cell: Locator): Promise<string> {
  const marks = (outputs: Element[]) =>
    outputs.map((each) => `${each.getAttribute('data-kind') === 'value' ? '= ' : ''}${each.textContent}`)
  return (await cell.locator('.output pre').evaluateAll(marks)).join('\n')
}

/** Waits until a cell neither runs nor is going to, and gives how it stands. */
async function settled(cell: Locator): Promise<string | null> {
  await statusOf(cell)
    .filter({ hasNotText: /Running|Waiting/ })
    .waitFor()
  return await statusOf(cell).textContent()
}

async function giveKey(on: Page): Promise<void> {
  await on.getByLabel('API key').fill(key)
  await on.getByLabel('Base URL').fill(`${endpoint.origin}/v1`)
  await on.getByLabel('Model', { exact: true }).fill('gpt-5.6')
}

describe.runIf(hasChromium)('a page with cells, in a browser', () => {
  beforeAll(async () => {
    const folder = temporaryFolder()
    opened.defer(() => folder.remove())
    await Promise.all([buildSite(folder.path), openBrowser()])
    site = await serveSite(folder.path)
    opened.defer(() => site.close())
    provider = await wireServer({
      script: [{ calls: [{ name: 'ticket_price', args: { people: 4 } }] }, 'Four people pay 48 euros.'],
    })
    opened.defer(() => provider.close())
    endpoint = await serveAcrossOrigins(provider.url)
    opened.defer(() => endpoint.close())
    page = await openPage()
  }, 120_000)
  afterAll(async () => await opened.disposeAsync(), 30_000)

  test('the cell with a key says that it has none, and nothing runs', async () => {
    const cell = cellOf(page, keyCell.number)
    await press(cell, 'Run')
    expect(await shownBy(cell)).toBe(noKey)
    expect(new Set(await page.getByRole('status').allTextContents())).toEqual(new Set(['Not run']))
  })

  test.each(cells.map((cell) => [cell.number, cell] as const))(
    'cell %i shows what its page says, and asks nobody but its own origin',
    async (number, { expected, needsKey }) => {
      const before = requested.length
      if (needsKey) await giveKey(page)
      const cell = cellOf(page, number)
      await press(cell, 'Run')
      expect({ status: await settled(cell), shown: await shownBy(cell) }).toEqual({
        status: 'Ran',
        shown: expected,
      })
      const allowed = needsKey ? endpoint.origin : site.origin
      expect(requested.slice(before).filter((url) => !url.startsWith(`${allowed}/`))).toEqual([])
    },
  )

  test('the requests of workers are among those that are watched', () => {
    expect(requested.filter((url) => url.startsWith(endpoint.origin))).toHaveLength(2)
    expect(provider.requests.map(({ path, refused }) => [path, refused])).toEqual([
      ['/v1/chat/completions', undefined],
      ['/v1/chat/completions', undefined],
    ])
  })

  test('the key went to its endpoint, to no other server, and into no storage', async () => {
    const asks = endpoint.received.filter((text) => text.startsWith('POST'))
    expect(asks.map((text) => text.includes(`Bearer ${key}`))).toEqual([true, true])
    expect(site.received.join('\n')).not.toContain(key)
    const kept = await page.evaluate(async () => {
      // Not by spreading: a storage hides what is kept under the name of one of its methods.
      const entriesOf = (storage: Storage) =>
        Array.from({ length: storage.length }, (_, index) => storage.getItem(storage.key(index) ?? ''))
      return {
        local: entriesOf(localStorage),
        session: entriesOf(sessionStorage),
        databases: await indexedDB.databases(),
        caches: await caches.keys(),
        cookies: document.cookie,
        address: location.href,
        markup: document.documentElement.outerHTML,
      }
    })
    expect(kept).toMatchObject({ local: [], session: [], databases: [], caches: [], cookies: '' })
    expect(JSON.stringify([kept, await context.cookies()])).not.toContain(key)
    expect(await page.getByLabel('API key').getAttribute('type')).toBe('password')
    await page.reload()
    expect(await page.getByLabel('API key').inputValue()).toBe('')
  })

  test('the key can be had by no cell: not by name, and not by the one that uses it', async () => {
    const fresh = await openPage()
    await giveKey(fresh)
    const [first, last] = [cellOf(fresh, 1), cellOf(fresh, keyCell.number)]
    await write(first, "import { endpoint } from 'this-page'")
    await press(first, 'Run')
    expect(await settled(first)).toBe('Failed')
    await press(first, 'Restore')
    await write(last, "import * as all from 'this-page'\nJSON.stringify(all)")
    await press(last, 'Run')
    expect(await settled(last)).toBe('Ran')
    expect(await shownBy(last)).not.toContain(key)
    await fresh.close()
  })

  test('Control and Enter run a cell, and those above it that have not run', async () => {
    const fresh = await openPage()
    const [first, second, third] = [1, 2, 3].map((number) => cellOf(fresh, number)) as [
      Locator,
      Locator,
      Locator,
    ]
    await write(first, 'let count: number = 1')
    await write(second, 'count += 1')
    await write(third, 'count += 1\ncount')
    await third.getByRole('textbox').press('Control+Enter')
    expect(await settled(third)).toBe('Ran')
    expect(await shownBy(third)).toBe('= 3')
    await write(first, 'let count: number = 10')
    await third.getByRole('button', { name: 'Run' }).press('Enter')
    await third.getByText('12').waitFor()
    expect(await shownBy(second)).toBe('= 11')
    await fresh.close()
  })

  test('a cell that is stuck is stopped, and then cells run again', async () => {
    const fresh = await openPage()
    const [first, second] = [cellOf(fresh, 1), cellOf(fresh, 2)]
    await write(first, "console.log('begins')\nwhile (true) {}")
    await press(first, 'Run')
    await first.getByText('begins').waitFor()
    await press(first, 'Stop')
    expect(await settled(first)).toBe('Stopped')
    await expect.poll(() => fresh.workers().length, { timeout: 15_000 }).toBe(0)
    await press(first, 'Restore')
    await press(second, 'Run')
    expect(await settled(second)).toBe('Ran')
    expect(await shownBy(first)).toBe(cells[0]!.expected)
    await fresh.close()
  })

  test('an error of a cell is shown with its line, and the cells below say that they did not run', async () => {
    const fresh = await openPage()
    const [first, second] = [cellOf(fresh, 1), cellOf(fresh, 2)]
    await write(first, "const a: number = 1\nthrow new RangeError('Too far')")
    await press(second, 'Run')
    expect([await settled(second), await settled(first)]).toEqual(['Not run', 'Failed'])
    expect(await shownBy(first)).toBe('RangeError: Too far (line 2)')
    expect(await shownBy(second)).toBe('Not run: cell 1, which comes before it, did not end well.')
    await write(first, "setTimeout(() => { throw new Error('Later') })")
    await press(first, 'Run')
    await first.getByText('Nobody caught: Error: Later').waitFor()
    await fresh.close()
  })

  test('the page itself turns no text into code, and the browser had nothing to complain about', async () => {
    const complained = complaints.length
    const made = await page.evaluate(async () => {
      // Only later: what the test evaluates itself is let through.
      await new Promise((resolve) => setTimeout(resolve))
      try {
        return new Function('return "code"')() as string
      } catch (error) {
        return (error as Error).name
      }
    })
    expect(made).toBe('EvalError')
    expect(complaints.slice(0, complained)).toEqual([])
  })
})

test('every cell of the page says what it shows', () => {
  expect(cells.length).toBeGreaterThan(0)
  expect(cells.filter(({ expected }) => expected === undefined).map(({ number }) => number)).toEqual([])
})
