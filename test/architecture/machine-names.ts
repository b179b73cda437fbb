/** A folder of somebody's machine, put together so that this file does not hold what it looks for. */
function folder(...names: readonly string[]): string {
  return ['', ...names, ''].join('/')
}

const before = String.raw`(?:file://|(?<![\w.~/-]))`
const somebody = String.raw`[\w.-]+`
const homes = [folder('home', somebody), folder('Users', somebody), folder('root'), folder('work')]
const drive = String.raw`[A-Za-z]:\\Users\\`
const scratch = `${folder('tmp')}(?:ba${''}sh|[\\w.-]*\\.\\d{3,})`
const hosts = [
  ['registry', 'npm'].join(String.raw`\.`),
  ['deb', 'debian'].join(String.raw`\.`),
  `//${'registry'}\\.`,
]

/** Absolute paths of one machine, scratch folders of a shell, and hosts of package registries. */
const patterns = new RegExp([`${before}(?:${[...homes, scratch].join('|')})`, drive, ...hosts].join('|'), 'g')

/** Every place of a text that names a machine or a registry, with its line number. */
export function machineNames(text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = [...line.matchAll(patterns)].map(([name]) => name)
    return found.map((name) => `${index + 1}: ${name}`)
  })
}
