import fc from 'fast-check'

/** Any text at all, halves of surrogate pairs included. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(46, 45, 95, 58, 47, 32)), {
    maxLength: 90,
  })
  .map((units) => String.fromCharCode(...units))

/** Texts that share their first 190 characters, or differ only in case. */
const alike = fc.oneof(
  fc.constantFrom('a', 'b', '.', 'é').map((end) => `${'server.tool_'.repeat(16)}${end}`.slice(-200)),
  fc
    .array(fc.boolean(), { minLength: 9, maxLength: 9 })
    .map((upper) =>
      Array.from('send.mail', (each, place) => (upper[place] ? each.toUpperCase() : each)).join(''),
    ),
  fc.stringMatching(/^[A-Za-z0-9_.:-]{1,128}$/),
)

/** A set of tools' names: unicode, dots, 200 characters, case only. */
export const someNames = fc.uniqueArray(fc.oneof(anyText, alike), { maxLength: 40 })
