const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EIO: 'the disk failed',
  ENOENT: 'the folder is missing and cannot be made',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'something else has that name',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many files are open',
}

/** Why the system refused, in words and with its code, without the paths that its own message holds. Undefined for other errors. */
export function systemReason(error: unknown): string | undefined {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  if (typeof code !== 'string' || typeof syscall !== 'string') return undefined
  const words = reasons[code]
  return words === undefined ? code : `${words} (${code})`
}
