import { Command } from 'commander'
import { withCommonOptions } from './command-options.ts'
import { approve, deny } from './commands/answer.ts'
import { asks } from './commands/asks.ts'
import { call } from './commands/call.ts'
import { explain } from './commands/explain.ts'
import { lint } from './commands/lint.ts'
import { reconcile } from './commands/reconcile.ts'
import { resume } from './commands/resume.ts'
import { runs } from './commands/runs.ts'
import { show } from './commands/show.ts'
import { start } from './commands/start.ts'
import { tools } from './commands/tools.ts'
import { filled } from './filled.ts'
import { version } from './version.ts'

const exitCodes = `
Exit codes: 0 fine, also when asks are left open; 1 what was asked for failed; 2 the command line is wrong.
Without a terminal nothing is ever asked for: what needs a person is declined, or left open with --leave-open;
an ask that stood open before a resume stays open.`

/** The command line with all of its commands; an action hands its exit code to `done`. */
export function program(done: (exitCode: number) => void): Command {
  const root = new Command('toolpost')
    .description('An agent on a folder whose every call is checked, decided, asked for, run and recorded.')
    .version(version())
    .addHelpText('after', exitCodes)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  const add = (usage: string, description: string) =>
    withCommonOptions(root.command(usage).description(description))
  const act =
    <Rest extends readonly unknown[]>(action: (...rest: Rest) => Promise<number>) =>
    async (...rest: readonly unknown[]) =>
      // Commander hands over the command itself last; no action needs it.
      done(await action(...(rest.slice(0, -1) as unknown as Rest)))

  withModel(
    withApprovals(add('start [request]', 'open the agent on a folder and give it something to do')),
  ).action(act(start))
  withModel(
    withApprovals(add('resume [run]', 'go on with a run that has not ended; the newest one by default')),
  ).action(act(resume))
  add('runs', 'list runs, the newest first')
    .option('--status <status>', 'only runs of this status')
    .option('--limit <count>', 'at most so many', '20')
    .action(act(runs))
  add('show <run>', "tell a run's story").action(act(show))
  add('asks', 'list the asks that nobody has answered').action(act(asks))
  add('approve <ask>', 'allow an ask')
    .option('--session', 'do not ask again for this tool in its session')
    .option('--args <json>', 'run it with these arguments instead')
    .option('--reason <text>', 'why')
    .action(act(approve))
  add('deny <ask>', 'decline an ask')
    .requiredOption('--reason <text>', 'why; the model is told', filled('--reason'))
    .action(act(deny))
  withApprovals(add('call <tool>', 'make one call of a tool by hand'))
    .requiredOption('--args <json>', 'the arguments, a JSON object')
    .action(act(call))
  add('explain <tool>', 'say what would become of a call, and why; nothing is run')
    .requiredOption('--args <json>', 'the arguments, a JSON object')
    .option('--mode <mode>', 'off, read_only, ask or auto', 'ask')
    .action(act(explain))
  add('tools', "list the agent's tools").action(act(tools))
  add('lint [module]', "say what providers will refuse or ignore in a module's tools, or in the agent's own")
    .option('--provider <names...>', 'only these: openai, openai-strict, anthropic, gemini')
    .action(act(lint))
  add(
    'reconcile <call> <found>',
    'record what became of a call whose outcome nobody saw: completed, failed or not_run',
  )
    .option('--note <text>', 'how it was found out')
    .action(act(reconcile))
  return root
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
