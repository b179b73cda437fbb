/** A route's path with its parts filled in. Throws a TypeError for a part that is missing: a mistake of the program. */
export function routePath(path: string, parts: { readonly [name: string]: string } = {}): string {
  return path.replace(/\{([A-Za-z]+)\}/g, (_, name: string) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (part === undefined) throw new TypeError(`The path ${path} needs ${name}.`)
    return encodeURIComponent(part)
  })
}
