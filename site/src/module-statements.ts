import type { Token } from './tokens.ts'

/** A place of a text and what stands there instead. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * A module without the statements that only modules have: imports become constants that `$import` gives, exports lose
 * their keyword, for the cells below see every name anyhow. Lines stay where they are.
 * Throws a SyntaxError for what a cell cannot do: exports of other modules, and default ones.
 */
export function withoutModuleStatements(code: string, tokens: readonly Token[]): string {
  const edits = tokens.flatMap((token, index) => {
    const next = tokens[index + 1]?.text ?? ''
    if (token.depth > 0 || token.isText || ['.', '?.'].includes(tokens[index - 1]?.text ?? '')) return []
    if (token.text === 'import' && !['(', '.', ':'].includes(next)) return [importEdit(code, tokens, index)]
    return token.text === 'export' ? [exportEdit(tokens, index)] : []
  })
  return edits.reduceRight((text, { start, end, text: put }) => {
    const lines = text.slice(start, end).split('\n').length - put.split('\n').length
    return text.slice(0, start) + put + '\n'.repeat(Math.max(0, lines)) + text.slice(end)
  }, code)
}

function importEdit(code: string, tokens: readonly Token[], index: number): Edit {
  const { start } = tokens[index] as Token
  const from = tokens.slice(index).find(({ text }) => /^['"]/.test(text))
  if (from === undefined) throw new SyntaxError('An import does not say what it imports from.')
  const clause = code
    .slice(start, from.start)
    .replace(/^import\b/, '')
    .replace(/\bfrom\s*$/, '')
    .trim()
  const given = `await $import(${from.text});`
  return {
    start,
    end: from.end,
    text: clause === '' ? `;${given}` : `;const ${patternOf(clause)} = ${given}`,
  }
}

/** The names of an import as a pattern: `a, { b as c }` becomes `{ default: a, b: c }`. */
function patternOf(clause: string): string {
  const [, name, , more = ''] = clause.match(/^([\w$]+)?(\s*,\s*)?([\s\S]*)$/) ?? []
  const all = more.match(/^\*\s*as\s+([\w$]+)$/)?.[1]
  if (all !== undefined && name === undefined) return all
  if (all !== undefined) throw new SyntaxError('Import the default and the whole module in two statements.')
  const inner = more.replace(/^\{/, '').replace(/\}$/, '')
  const renamed = inner
    .replaceAll(/([\w$]+|'[^']*'|"[^"]*")\s+as\s+/g, '$1: ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `{ ${[name === undefined ? '' : `default: ${name}`, renamed].filter(Boolean).join(', ')} }`
}

function exportEdit(tokens: readonly Token[], index: number): Edit {
  const [{ start, end }, next] = [tokens[index] as Token, tokens[index + 1]]
  if (next?.text === 'default' || next?.text === '*')
    throw new SyntaxError(`A cell has no "export ${next.text}": the cells below see its names without one.`)
  if (next?.text !== '{') return { start, end, text: '' }
  const close = tokens.slice(index).findIndex(({ text, depth }) => text === '}' && depth === 0)
  const last = tokens[index + close] as Token
  if (tokens[index + close + 1]?.text === 'from')
    throw new SyntaxError('A cell cannot export what another module has: import it.')
  return { start, end: last.end, text: ';' }
}
