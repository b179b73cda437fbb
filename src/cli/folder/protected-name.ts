/** Folders that are left out of listings and never written to; they belong to other programs. */
const protectedNames = ['.git', '.toolpost', 'node_modules']

/** Whether a file's or folder's own name is protected. Some disks take `.GIT` and `.git ` for `.git`. */
export function isProtectedName(name: string): boolean {
  return protectedNames.includes(name.toLowerCase().replace(/[. ]+$/, ''))
}

/** The protected folder that a relative path lies in, if any. */
export function protectedPart(path: string): string | undefined {
  return path.split(/[/\\]/).find(isProtectedName)
}
