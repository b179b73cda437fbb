import { expect, test } from 'vitest'
import { lintReport } from '../../../src/core/lint/lint-report.ts'
import { lintTools } from '../../../src/core/lint/lint-tools.ts'

test('the report is by provider and tool, what is refused first', () => {
  const jsonSchema = {
    type: 'object',
    properties: { 'a\u001b[2J': { type: 'string', pattern: '^x' } },
  }
  const tools = [{ name: 'look', description: '', jsonSchema }]
  const report = lintReport([...lintTools(tools, 'anthropic'), ...lintTools(tools, 'gemini')])
  expect(report).toBe(
    [
      'anthropic: 1 refused, 0 ignored, 0 changed',
      '  look',
      '    refused /jsonSchema/properties/a\\u{1b}[2J',
      '      Anthropic takes names of 1 to 64 ASCII letters, digits, "_", "." and "-" at the root, so it refuses the member "a\\u001b[2J", which is sent as it is; rename it.',
      '',
      'gemini: 0 refused, 1 ignored, 0 changed',
      '  look',
      '    ignored /jsonSchema/properties/a\\u{1b}[2J/pattern',
      '      Gemini lists no support for "pattern", so the model may not keep to it; it is sent as it is, and the arguments are checked against it all the same.',
      '',
    ].join('\n'),
  )
})

test('a report without findings says so', () => {
  expect(lintReport([])).toBe('Nothing is refused, ignored or changed.\n')
})
