import type { LintFinding } from './finding.ts'

/** The findings as text for a person: by provider and tool, what is refused first, and how many there are. */
export function lintReport(findings: readonly LintFinding[]): string {
  if (findings.length === 0) return 'Nothing is refused, ignored or changed.\n'
  const blocks = [...Map.groupBy(findings, ({ provider }) => provider)].map(
    ([provider, found]) => `${provider}: ${counts(found)}\n${toolBlocks(found)}`,
  )
  return inert(blocks.join('\n'))
}

function toolBlocks(findings: readonly LintFinding[]): string {
  const byTool = Map.groupBy(findings, ({ tool }) => tool)
  return [...byTool]
    .map(([tool, found]) => `  ${tool}\n${order.flatMap((effect) => lines(found, effect)).join('')}`)
    .join('')
}

const order = ['refused', 'ignored', 'changed'] as const

function lines(findings: readonly LintFinding[], effect: LintFinding['effect']): string[] {
  const found = findings.filter((finding) => finding.effect === effect)
  return found.map(
    ({ pointer, says }) => `    ${effect} ${pointer === '' ? '(the tool)' : pointer}\n      ${says}\n`,
  )
}

function counts(findings: readonly LintFinding[]): string {
  const of = (effect: string) => findings.filter((finding) => finding.effect === effect).length
  return order.map((effect) => `${of(effect)} ${effect}`).join(', ')
}

/** Names and pointers are a stranger's text: nothing in them may steer a terminal. */
function inert(text: string): string {
  return text.replaceAll(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (each) => `\\u{${each.codePointAt(0)!.toString(16)}}`,
  )
}
