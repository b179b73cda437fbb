import { RE2JS } from 're2js'

const specials = new Set('\\^$.|+()[]{}')

/**
 * Whether a path matches a glob: `*` and `?` within one name, `**` across folders, `{a,b}` for either. A glob
 * without `/` is matched against the name alone. In linear time. Throws a sentence for the model.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const pattern = compile(glob)
  const byName = !glob.includes('/')
  return (path) => pattern.matches(byName ? path.slice(path.lastIndexOf('/') + 1) : path)
}

function compile(glob: string): RE2JS {
  try {
    return RE2JS.compile(translate(glob), RE2JS.DOTALL)
  } catch {
    throw new Error(
      `The glob ${JSON.stringify(glob)} cannot be read; use *, **, ? and {a,b}, such as "src/**/*.ts".`,
    )
  }
}

function translate(glob: string): string {
  let depth = 0
  let pattern = ''
  for (let at = 0; at < glob.length; at += 1) {
    const character = glob[at] as string
    if (glob.startsWith('**/', at)) {
      pattern += '(?:.*/)?'
      at += 2
    } else if (glob.startsWith('**', at)) {
      pattern += '.*'
      at += 1
    } else if (character === '*') pattern += '[^/]*'
    else if (character === '?') pattern += '[^/]'
    else if (character === '{') {
      depth += 1
      pattern += '(?:'
    } else if (character === '}' && depth > 0) {
      depth -= 1
      pattern += ')'
    } else if (character === ',' && depth > 0) pattern += '|'
    else pattern += specials.has(character) ? `\\${character}` : character
  }
  return pattern
}
