import { Command } from 'commander'
import { withAgentOption, withCommonOptions } from './command-options.ts'
import { answer } from './commands/answer.ts'
import { asks } from './commands/asks.ts'
import { call } from './commands/call.ts'
import { cancel } from './commands/cancel.ts'
import { approve, deny } from './commands/decide.ts'
import { explain } from './commands/explain.ts'
import { exportSession } from './commands/export.ts'
import { lint } from './commands/lint.ts'
import { reconcile } from './commands/reconcile.ts'
import { replayFile } from './commands/replay.ts'
import { resume } from './commands/resume.ts'
import { runs } from './commands/runs.ts'
import { serveConfigured } from './commands/serve.ts'
import { show } from './commands/show.ts'
import { start } from './commands/start.ts'
import { timers } from './commands/timers.ts'
import { tools } from './commands/tools.ts'
import { filled } from './filled.ts'
import { version } from './version.ts'

const exitCodes = `
Exit codes: 0 fine, also when asks are left open; 1 what was asked for failed; 2 the command line is wrong.
Without a terminal nothing is ever asked for: what needs approval is declined, or left open with --leave-open;
what a tool asks a person for is left open; an ask that stood open before a resume stays open.`

/** Declares a command with what every command takes. */
type Add = (usage: string, description: string) => Command

/** What a command does when it is called. */
type Act = <Rest extends readonly unknown[]>(
  action: (...rest: Rest) => Promise<number>,
) => (...rest: readonly unknown[]) => Promise<void>

/**
 * The command line with all of its commands; an action hands its exit code to `done`, and
 * whether nothing that it began can go on: then what keeps the event loop alive is a module's, and is not waited for.
 */
export function program(done: (exitCode: number, isOver: boolean) => void): Command {
  const root = new Command('toolpost')
    .description('An agent on a folder whose every call is checked, decided, asked for, run and recorded.')
    .version(version())
    .addHelpText('after', exitCodes)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  const add: Add = (usage, description) => withCommonOptions(root.command(usage).description(description))
  const addOfAgents: Add = (usage, description) => withAgentOption(add(usage, description))
  const actAnd =
    (isOver: boolean): Act =>
    <Rest extends readonly unknown[]>(action: (...rest: Rest) => Promise<number>) =>
    async (...rest: readonly unknown[]) =>
      // Commander hands over the command itself last; no action needs it.
      done(await action(...(rest.slice(0, -1) as unknown as Rest)), isOver)
  const act = actAnd(false)
  const look = actAnd(true)

  withModel(
    withApprovals(add('start [request]', 'open the agent on a folder and give it something to do')),
  ).action(act(start))
  withModel(
    withApprovals(
      addOfAgents('resume [run]', 'go on with a run that has not ended; the newest one by default'),
    ),
  ).action(act(resume))
  addOfAgents('cancel <run>', 'stop a run that has not ended, with all that it started; its asks are closed')
    .option('--reason <text>', 'why; it stands in the log', filled('--reason'))
    .action(act(cancel))
  addOfAgents('runs', 'list runs, the newest first')
    .option('--status <status>', 'only runs of this status')
    .option('--uncertain', 'only runs with calls whose outcome nobody saw, and these calls')
    .option('--limit <count>', 'at most so many', '20')
    .action(look(runs))
  addOfAgents('show <run>', "tell a run's story").action(look(show))
  addAnswers(addOfAgents, act)
  withApprovals(addOfAgents('call <tool>', 'make one call of a tool by hand'))
    .requiredOption('--args <json>', 'the arguments, a JSON object')
    .action(act(call))
  addLooks(add, addOfAgents, look)
  addOfAgents(
    'reconcile <call> <found>',
    'record what became of a call whose outcome nobody saw: completed, failed or not_run',
  )
    .option(
      '--run <run>',
      "the call's run; then the call may be named as a client of a host knows it",
      filled('--run'),
    )
    .option('--note <text>', 'how it was found out')
    .action(act(reconcile))
  addCassettes(addOfAgents, look)
  addServe(root, look)
  return root
}

/** What looks at tools and calls, and runs nothing. */
function addLooks(add: Add, addOfAgents: Add, look: Act): void {
  addOfAgents('explain <tool>', 'say what would become of a call, and why; nothing is run')
    .requiredOption('--args <json>', 'the arguments, a JSON object')
    .option('--mode <mode>', 'off, read_only, ask or auto (default: ask)')
    .action(look(explain))
  addOfAgents('tools', "list the agent's tools").action(look(tools))
  add('lint [module]', "say what providers will refuse or ignore in a module's tools, or in the agent's own")
    .option(
      '--provider <name>',
      'only this one (openai, openai-strict, anthropic, gemini); repeat it or list several with commas',
      eachNamed,
    )
    .action(look(lint))
}

/** Adds the names of one more `--provider` to those before it. */
function eachNamed(value: string, before: readonly string[] = []): readonly string[] {
  return [...new Set([...before, ...value.split(',').map((name) => name.trim())])]
}

/** What waits for somebody, and the ways to answer it. */
function addAnswers(add: Add, act: Act): void {
  add('asks', 'list what nobody has answered: asks for approval, and questions of tools').action(act(asks))
  add('approve <ask>', 'allow an ask')
    .option('--session', 'do not ask again for this tool in its session')
    .option('--args <json>', 'run it with these arguments instead')
    .option('--reason <text>', 'why')
    .action(act(approve))
  add('deny <ask>', 'decline an ask, or a question')
    .requiredOption('--reason <text>', 'why; the model is told', filled('--reason'))
    .action(act(deny))
  add('answer <ask>', 'give a tool what it stopped to ask for')
    .option('--value <json>', 'the answer, as JSON; - reads it from standard input')
    .option('--value-file <file>', 'the answer, as JSON in a file', filled('--value-file'))
    .option('--text <words>', 'the answer, when it is a text or has one text in it')
    .action(act(answer))
  add(
    'timers',
    'do what is due, such as asks that have run out, and list the sessions that can go on',
  ).action(act(timers))
}

function addCassettes(add: Add, act: Act): void {
  add('export <session>', 'write a session as a cassette, which replays without its model and its tools')
    .option('--run <run>', 'only as far as the end of this run', filled('--run'))
    .option('--file <file>', 'into this file (default: standard output)', filled('--file'))
    .action(act(exportSession))
  add('replay <file>', 'play a cassette on the agent and say what it decides otherwise now')
    .option('--finalize', 'run the finalize of tools over recorded results')
    .action(act(replayFile))
}

function withApprovals(command: Command): Command {
  return command
    .option('--no-input', 'never prompt, also in a terminal')
    .option('--leave-open', 'leave asks open for `toolpost approve` instead of prompting or declining')
    .option('--wait', 'with --leave-open: wait here until another process has answered')
}

function withModel(command: Command): Command {
  return command
    .option(
      '--model <name>',
      'the model to talk to (default: TOOLPOST_MODEL, or one of the provider)',
      filled('--model'),
    )
    .option('--scripted', 'play the fixed job, also when a real model is connected')
}

/** A host works on no folder, so that it takes none of the common options. */
function addServe(root: Command, look: Act): void {
  root
    .command('serve')
    .description('serve the host of a configuration to applications, over HTTP')
    .requiredOption(
      '--config <file>',
      'a JSON file, or a module whose default export is { host, serve }',
      filled('--config'),
    )
    .option('--host <address>', 'the address to listen on, in place of the configured one', filled('--host'))
    .option(
      '--port <number>',
      'the port, in place of the configured one; 0 is any free one',
      filled('--port'),
    )
    .option('--json', 'answer in JSON')
    .action(look(serveConfigured))
}
