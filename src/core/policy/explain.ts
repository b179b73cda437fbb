import type { Decision } from './evaluate.ts'
import type { LayerEntry } from './layers.ts'

/**
 * A decision as lines of text for a command line: the verdict and its reason, then what each layer said. The
 * text of private rules is left out, and characters that could steer a terminal are written as escapes.
 */
export function explainDecision(decision: Decision): string {
  const circumstances = [
    `class ${decision.toolClass}`,
    ...(decision.mode === undefined ? [] : [`mode ${decision.mode}`]),
    ...(decision.category === undefined ? [] : [`refused by ${decision.category}`]),
    ...(decision.remembered === undefined ? [] : [`answered by ticket ${decision.remembered}`]),
  ]
  const head = `${decision.verdict} (${circumstances.join(', ')}): ${decision.reason}`
  return [head, ...decision.trace.map(line)].map(inert).join('\n')
}

function line(entry: LayerEntry): string {
  const rule = entry.ruleId === undefined ? '' : ` ${entry.ruleId}`
  const said = entry.verdict === undefined ? '' : ` [${entry.verdict}]`
  return `  ${entry.layer}${rule}${said}: ${entry.private === true ? '(the text of this rule is private)' : entry.reason}`
}

function inert(text: string): string {
  let out = ''
  for (const character of text) {
    const code = character.codePointAt(0)!
    out += steers(code) ? `\\u{${code.toString(16)}}` : character
  }
  return out
}

/** Control characters, line separators, and the marks that turn the direction of writing or show nothing. */
function steers(code: number): boolean {
  return (
    code < 0x20 ||
    (code >= 0x7f && code <= 0x9f) ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2069) ||
    code === 0x061c ||
    code === 0xfeff
  )
}
