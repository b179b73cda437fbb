import { describe, expect, test } from 'vitest'
import { evaluateCell } from '../../site/src/evaluate-cell.ts'
import type { Shown } from '../../site/src/message.ts'
import { Scope } from '../../site/src/scope.ts'

const modules: Readonly<Record<string, object>> = {
  numbers: { one: 1, two: 2, default: 'all of them' },
  words: { hello: 'hello' },
}

/** Runs cells one after another in one scope and gives what each shows. */
async function showing(...cells: readonly string[]): Promise<string[][]> {
  const scope = new Scope()
  const shown: string[][] = []
  for (const [index, code] of cells.entries()) shown.push(await shownIn(scope, index + 1, code))
  return shown
}

async function shownIn(scope: Scope, cell: number, code: string): Promise<string[]> {
  const texts: string[] = []
  const show = ({ kind, text }: Shown) => texts.push(`${kind} ${text}`)
  const importModule = async (name: string) => modules[name] ?? Promise.reject(new Error(`No ${name}`))
  await evaluateCell({ cell, code, scope, importModule, show })
  return texts
}

describe('what a cell declares', () => {
  test.each([
    ['a constant', 'const a: number = 7', 'a', '7'],
    [
      'a pattern',
      'const { a, b: { c = 3, ...d }, e: [f] } = { a: 1, b: { x: 9 }, e: [5] } as any',
      '[a, c, d, f]',
      '[1, 3, { x: 9 }, 5]',
    ],
    ['a function', 'export async function* a<T>(given: T) { yield given }', 'a.name', "'a'"],
    ['a class', 'class A { #one = 1; get one(): number { return this.#one } }', 'new A().one', '1'],
    ['an enum', 'enum Colour { red, green }', 'Colour.green', '1'],
    ['an import that it does not use', "import { one as first, type Not } from 'numbers'", 'first', '1'],
    ['a whole module', "import * as numbers from 'numbers'", 'numbers.two', '2'],
    ['a default import', "import all, { two } from 'numbers'", '[all, two]', "['all of them', 2]"],
    ['an exported name', 'const a = 1\nexport { a }', 'a', '1'],
  ])('is seen below: %s', async (_name, code, read, value) => {
    expect(await showing(code, read)).toEqual([[], [`value ${value}`]])
  })

  test('is live: the cells below see later values, and set them', async () => {
    const cells = [
      'let count = 0\nconst more = () => { count += 1 }',
      'more()\ncount',
      'count = 40\nmore()\ncount',
    ]
    expect(await showing(...cells)).toEqual([[], ['value 1'], ['value 41']])
  })

  test('stays inside where a block holds it', async () => {
    const [, shown] = await showing(
      '{ const inner = 1 }\nfor (let each of [1]) {}',
      'typeof inner + typeof each',
    )
    expect(shown).toEqual(["value 'undefinedundefined'"])
  })

  test('is forgotten, with that of the cells below, when a cell runs again', async () => {
    const scope = new Scope()
    await shownIn(scope, 1, 'const a = 1')
    await shownIn(scope, 2, 'const b = a')
    await shownIn(scope, 1, 'const c = 2')
    expect(await shownIn(scope, 2, '[typeof a, typeof b, c]')).toEqual([
      "value ['undefined', 'undefined', 2]",
    ])
  })
})

describe('the value of a cell is that of its last statement', () => {
  test.each([
    ['over lines with dots', 'const list = [1, 2]\nlist\n  .map((each) => each * 2)\n  .at(-1)', 'value 4'],
    ['over lines with operators', 'const a = 1\na\n  + 2', 'value 3'],
    ['with an await', 'await Promise.resolve(5)', 'value 5'],
    ['behind a semicolon', 'const a = 1; a + 1;', 'value 2'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the template is the cell's.
    ['with a template', 'const a = 1;\n`a\nb ${a}\nimport`', "value 'a\\nb 1\\nimport'"],
    ['before a comment', '1 + 1 // two', 'value 2'],
    ['before a semicolon and a comment', '1 + 1; // two', 'value 2'],
    ['in round brackets', 'const a = 1;\n({ a })', 'value { a: 1 }'],
  ])('%s', async (_name, code, value) => {
    expect(await showing(code)).toEqual([[value]])
  })

  test.each([
    ['a declaration that goes on', 'const a =\n  5'],
    ['a class', 'class A {}'],
    ['a function', 'async function a() {}'],
    ['a block', '{ 1 }'],
    ['a branch', 'if (false)\n  1\nelse\n  2'],
    ['nothing', '// nothing'],
    ['only types', "import type { A } from 'numbers'\ninterface B { a: A }"],
  ])('%s has none', async (_name, code) => {
    expect(await showing(code)).toEqual([[]])
  })
})

describe('an error of a cell', () => {
  test.each([
    ['thrown', "const a: number = 1\n\nthrow new TypeError('No')", 'error TypeError: No (line 3)'],
    ['thrown that is none', 'throw { a: 1 }', 'error Thrown: { a: 1 }'],
    ['of a name that is not there', 'missing', 'error ReferenceError: missing is not defined (line 1)'],
    ['of a constant', 'const a = 1\na = 2', 'error TypeError: Assignment to constant variable. (line 2)'],
    ['of a module', "import { a } from 'nowhere'", 'error Error: No nowhere (line 1)'],
    [
      'of a default export',
      'export default 1',
      'error SyntaxError: A cell has no "export default": the cells below see its names without one.',
    ],
  ])('is shown: %s', async (_name, code, shown) => {
    expect(await showing(code)).toEqual([[shown]])
  })

  test('is shown when it cannot be read, and nothing of it runs', async () => {
    const [[shown, ...more] = []] = await showing("console.log('ran')\nconst = 1")
    expect(shown).toMatch(/^error SyntaxError: /)
    expect(more).toEqual([])
  })
})

test('what a cell writes to the console is shown, texts as they are and values formatted', async () => {
  expect(
    await showing("console.log('a', 'b', { c: 'd' })\nconsole.error(1n)\nconsole.warn([undefined])\n"),
  ).toEqual([["log a b { c: 'd' }", 'error 1n', 'warn [undefined]']])
})
