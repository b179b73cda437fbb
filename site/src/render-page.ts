import type { CellBlock, PageBlock } from './page.ts'

/** A page as HTML: all of its text, and its cells with the controls that the scripts bring to life. */
export function renderPage(blocks: readonly PageBlock[]): string {
  return blocks.map(renderBlock).join('\n')
}

function renderBlock(block: PageBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${renderInline(block.text)}</h${block.level}>`
    case 'paragraph':
      return `<p>${renderInline(block.text)}</p>`
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${renderInline(item)}</li>`).join('')}</ul>`
    case 'cell':
      return renderCell(block)
  }
}

function renderCell({ number, needsKey, code }: CellBlock): string {
  const rows = code.split('\n').length
  // A text area drops the first line break of its text.
  return `<section class="cell" data-cell="${number}" aria-label="Cell ${number}">
${needsKey ? keyFields : ''}<textarea rows="${rows}" spellcheck="false" autocapitalize="off" autocomplete="off" aria-label="Code of cell ${number}; Control and Enter run it">
${escapeHtml(code)}</textarea>
<div class="bar">
<button type="button" data-action="run">Run</button>
<button type="button" data-action="stop" hidden>Stop</button>
<button type="button" data-action="restore">Restore</button>
<span class="status" role="status">Not run</span>
</div>
<div class="output" role="log" aria-label="Output of cell ${number}"></div>
</section>`
}

const keyFields = `<fieldset class="key">
<p>The key stays in this page's memory until you close or reload it. It goes to the base URL and nowhere else.</p>
<label for="key">API key</label>
<input id="key" type="password" autocomplete="off" spellcheck="false">
<label for="base-url">Base URL</label>
<input id="base-url" type="url" autocomplete="off" spellcheck="false" value="https://api.openai.com/v1">
<label for="model">Model</label>
<input id="model" type="text" autocomplete="off" spellcheck="false" value="gpt-5.6">
</fieldset>
`

/** Inline Markdown as HTML: code, strong text and links. */
export function renderInline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith('`') ? `<code>${escapeHtml(part.slice(1, -1))}</code>` : renderProse(part),
    )
    .join('')
}

function renderProse(text: string): string {
  return escapeHtml(text)
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
