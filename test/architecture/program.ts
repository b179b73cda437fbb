import { join } from 'node:path'
import ts from 'typescript'
import { repository } from './source.ts'

/** The compiler's view of the files that a type project names, with other options where they are given. */
export function projectProgram(project: string, options: ts.CompilerOptions = {}): ts.Program {
  const path = join(repository, project)
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile)
  if (error !== undefined) throw new Error(messageOf(error))
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, repository, undefined, path)
  return ts.createProgram(parsed.fileNames, { ...parsed.options, ...options })
}

let built: ts.Program | undefined

/** The compiler's view of `src`, made once. */
export function sourceProgram(): ts.Program {
  built ??= projectProgram('tsconfig.build.json', { declaration: true, emitDeclarationOnly: true })
  return built
}

/** A diagnostic as the compiler prints it. */
export function messageOf(diagnostic: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')
  if (diagnostic.file === undefined || diagnostic.start === undefined) return text
  const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start)
  return `${diagnostic.file.fileName.slice(repository.length + 1)}:${line + 1} ${text}`
}

/** The declarations that users are given, by file below `src`. */
export function declarations(program: ts.Program): Map<string, string> {
  const texts = new Map<string, string>()
  const write: ts.WriteFileCallback = (_name, text, _mark, _onError, files) => {
    for (const { fileName } of files ?? [])
      texts.set(fileName.slice(join(repository, 'src').length + 1), text)
  }
  program.emit(undefined, write, undefined, true)
  return texts
}
