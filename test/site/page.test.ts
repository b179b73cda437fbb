import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cellsOf, parsePage } from '../../site/src/page.ts'
import { renderInline, renderPage } from '../../site/src/render-page.ts'
import { programFolder, root, typeFaults, writeProgram } from '../documents/programs.ts'

const source = readFileSync(join(root, 'site/pages/tools.md'), 'utf8')

test('the cells of the page are one program whose types hold', { timeout: 180_000 }, () => {
  const folder = programFolder('site')
  try {
    const code = cellsOf(parsePage(source)).map((cell) => cell.code)
    const file = writeProgram(folder, {
      page: 'tools',
      line: 1,
      title: '',
      kind: 'check',
      source: code.join('\n'),
    })
    expect(typeFaults([file, join(root, 'site/src/this-page.d.ts')])).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the site is not published', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
  expect(files.filter((path) => path.startsWith('site'))).toEqual([])
})

describe('a page', () => {
  test('is read into headings, paragraphs, lists and cells', () => {
    const text =
      '# One\n\nTwo\nlines\n\n- a\n- b\n  c\n\n```ts\nlet d\n```\n\n```text\ne\n\nf\n```\nMore\n\n```ts key\ng\n```\n'
    expect(parsePage(text)).toEqual([
      { kind: 'heading', level: 1, text: 'One' },
      { kind: 'paragraph', text: 'Two lines' },
      { kind: 'list', items: ['a', 'b c'] },
      { kind: 'cell', number: 1, needsKey: false, code: 'let d', expected: 'e\n\nf' },
      { kind: 'paragraph', text: 'More' },
      { kind: 'cell', number: 2, needsKey: true, code: 'g', expected: undefined },
    ])
  })

  test.each(['```js\n1\n```\n', '```ts off\n1\n```\n', '```text\n1\n```\n'])(
    'refuses a fence that is no cell',
    (text) => {
      expect(() => parsePage(text)).toThrow('no cell')
    },
  )

  test('shows text as text, whatever stands in it', () => {
    const html = renderPage(parsePage('a <b> & `<c>`\n\n```ts\n"</textarea><script>"\n```\n'))
    expect(html).toContain('<p>a &lt;b&gt; &amp; <code>&lt;c&gt;</code></p>')
    expect(html).toContain('&quot;&lt;/textarea&gt;&lt;script&gt;&quot;</textarea>')
    expect(renderInline('**a** [b](c.md)')).toBe('<strong>a</strong> <a href="c.md">b</a>')
  })
})
