/** A cell of a page: code that the reader can change and run. */
export interface CellBlock {
  readonly kind: 'cell'
  /** Counts the page's cells, from 1. */
  readonly number: number
  /** Whether it asks a real model, with the reader's key. */
  readonly needsKey: boolean
  readonly code: string
  /** What it shows when it has run; undefined where the page forgot to say so. */
  readonly expected: string | undefined
}

/** What a page is made of. Texts hold inline Markdown. */
export type PageBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | CellBlock

const fence = /^```(\S*)(?: (\S+))?\n([\s\S]*?)\n```(?:\n|$)/

/**
 * Reads a page: headings, paragraphs, lists of one level, and fences. A fence `ts` is a cell, `ts key` one that needs
 * a key; the fence `text` behind it says what the cell shows. Throws an Error for a fence that is neither.
 */
export function parsePage(source: string): readonly PageBlock[] {
  const blocks: PageBlock[] = []
  let cells = 0
  let rest = source.trimStart()
  while (rest !== '') {
    const [cell, length] = cellAt(rest, cells + 1)
    if (cell !== undefined) {
      cells += 1
      blocks.push(cell)
    }
    const text = cell === undefined ? (rest.split(/\n\s*\n/, 1)[0] as string) : rest.slice(0, length)
    if (cell === undefined) blocks.push(textBlock(text.trimEnd()))
    rest = rest.slice(text.length).trimStart()
  }
  return blocks
}

/** The cells of a page. */
export function cellsOf(blocks: readonly PageBlock[]): readonly CellBlock[] {
  return blocks.filter((block) => block.kind === 'cell')
}

/** The cell at the beginning of a text, and how many characters it takes with its expectation. */
function cellAt(text: string, number: number): readonly [CellBlock | undefined, number] {
  const found = text.match(fence)
  if (found === null) return [undefined, 0]
  const [whole, language, mark, code = ''] = found
  if (language !== 'ts' || (mark !== undefined && mark !== 'key'))
    throw new Error(`A page has a fence that is no cell: ${whole.split('\n', 1)[0]}`)
  const behind = text.slice(whole.length)
  const shown = behind.trimStart().match(fence)
  const expected = shown?.[1] === 'text' ? shown[3]?.trimEnd() : undefined
  const gap = behind.length - behind.trimStart().length
  const length = whole.length + (expected === undefined ? 0 : gap + (shown?.[0].length ?? 0))
  return [{ kind: 'cell', number, needsKey: mark === 'key', code: code.trimEnd(), expected }, length]
}

function textBlock(text: string): PageBlock {
  const heading = text.match(/^(#+) (.+)$/)
  if (heading !== null) return { kind: 'heading', level: heading[1]!.length, text: heading[2]! }
  if (!text.startsWith('- ')) return { kind: 'paragraph', text: text.replaceAll('\n', ' ') }
  const items = text.slice(2).split(/\n- /)
  return { kind: 'list', items: items.map((item) => item.replaceAll(/\n\s*/g, ' ')) }
}
