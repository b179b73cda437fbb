/** Words that name a kind of code and not a thing, wherever they stand in a name. */
const kinds = [
  'util',
  'utils',
  'helper',
  'helpers',
  'manager',
  'managers',
  'service',
  'services',
  'handler',
  'handlers',
]

/** Words that say nothing when they are the whole name. */
const nothings = ['common', 'misc', 'shared', 'types', 'interfaces', 'index']

/** What is wrong with the names on a path; `index.ts` is allowed at the top of `src` only. */
export function nameFaults(path: string): string[] {
  const parts = path.split('/').map((part) => part.replace(/(\.test|\.d)?\.[a-z]+$/, ''))
  return parts.flatMap((name) => {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return [`${path}: "${name}" is not kebab-case`]
    if (path === 'src/index.ts') return []
    const isEmpty = nothings.includes(name) || name.split('-').some((word) => kinds.includes(word))
    return isEmpty ? [`${path}: "${name}" does not say what is in it`] : []
  })
}
