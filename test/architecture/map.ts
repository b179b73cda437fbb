/** A line of the map: a file below `src` and what is in it. */
export interface MapLine {
  readonly path: string
  readonly caption: string
}

/** The lines of the map: rows of tables whose first cell is a file in backquotes. */
export function mapLines(text: string): MapLine[] {
  return [...text.matchAll(/^\| `([^`]+\.tsx?)` \| (.*) \|$/gm)].map(([, path, caption]) => ({
    path: path as string,
    caption: (caption as string).trim(),
  }))
}

/** Everything in which a map and a tree differ, as sentences that say what to do. */
export function mapFaults(lines: readonly MapLine[], paths: readonly string[]): string[] {
  const listed = lines.map(({ path }) => path)
  const captions = lines.map(({ caption }) => caption)
  return [
    ...paths.filter((path) => !listed.includes(path)).map((path) => `${path} has no line: say what is in it`),
    ...listed
      .filter((path) => !paths.includes(path))
      .map((path) => `${path} does not exist: take its line out`),
    ...repeated(listed).map((path) => `${path} has more than one line`),
    ...repeated(captions).map((caption) => `"${caption}" is said of more than one file`),
    ...lines.filter(({ caption }) => caption === '').map(({ path }) => `${path} has an empty line`),
  ]
}

function repeated(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text, index) => text !== '' && texts.indexOf(text) !== index))]
}
