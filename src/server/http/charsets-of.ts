/** A parameter of a content type: `; name=value`, the value a token or a quoted text (RFC 9110, 5.6.6). */
const parameter = /;[ \t]*([^\s;="]*)(?:=(?:"((?:[^"\\]|\\.)*)"|([^;"]*)))?[ \t]*/gy

/** Every charset that a content type names. What comes after something that is no parameter is not looked at. */
export function charsetsOf(contentType: string): readonly string[] {
  const start = contentType.indexOf(';')
  if (start < 0) return []
  return [...contentType.slice(start).matchAll(parameter)]
    .filter(([, name = '']) => name.toLowerCase() === 'charset')
    .map(([, , quoted, token = '']) => quoted?.replaceAll(/\\(.)/g, '$1') ?? token.trim())
}
