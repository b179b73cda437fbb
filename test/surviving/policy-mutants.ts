/** One change of one source file, which takes a thing away that the policy promises. */
export interface Mutant {
  /** Below `src/core`. */
  readonly file: string
  readonly find: string
  readonly put: string
}

const of =
  (file: string) =>
  (find: string, put: string): Mutant => ({ file, find, put })

const evaluation = of('policy/evaluate.ts')
const layerLines = [
  'unreachableLayers',
  'killListLayer',
  'toolLayer',
  'sourceLayer',
  'contractLayer',
  'rulesLayer',
  'profileLayer',
  'modeLayer',
  'grantLayer',
  'parentLayer',
  'checkLayer',
]

const base = of('policy/base.ts')
const toolClass = of('policy/class.ts')
const mode = of('policy/mode.ts')
const verdict = of('policy/verdict.ts')
const table = of('policy/decide-tool.ts')
const contractEntry = of('policy/contract.ts')
const predicate = of('policy/predicate.ts')
const rememberedAnswer = of('policy/remembered.ts')
const hints = of('policy/mcp-hints.ts')
const grant = of('grant.ts')
const check = of('policy/layers/check.ts')
const contract = of('policy/layers/contract.ts')
const grantLayer = of('policy/layers/grant.ts')
const killList = of('policy/layers/kill-list.ts')
const modeLayer = of('policy/layers/mode.ts')
const parent = of('policy/layers/parent.ts')
const profile = of('policy/layers/profile.ts')
const remembered = of('policy/layers/remembered.ts')
const rules = of('policy/layers/rules.ts')
const source = of('policy/layers/source.ts')
const tool = of('policy/layers/tool.ts')
const unreachable = of('policy/layers/unreachable.ts')

/** Comparisons turned round, stricter for looser, layers left out: each must break a law of the policy. */
export const mutants: readonly Mutant[] = [
  ...layerLines.map((name) => evaluation(`\n  ${name},\n`, '\n')),
  evaluation('verdict = stricterVerdict(verdict, entry.verdict)', 'verdict = entry.verdict'),
  evaluation(
    'qualities = stricterQualities(qualities, entry.qualities)',
    'qualities = { ...qualities, ...entry.qualities }',
  ),
  evaluation("let verdict: Verdict = 'run'", "let verdict: Verdict = 'ask'"),
  evaluation('if (recollection === undefined) return', 'if (recollection?.entry.verdict !== "deny") return'),
  evaluation('if (recollection === undefined) return', 'if (recollection?.entry.verdict !== "run") return'),
  evaluation(
    "(verdict === 'deny' && { category: by.category })",
    "(verdict === 'ask' && { category: by.category })",
  ),
  evaluation('by.private === true ?', 'by.private === false ?'),

  base("given ?? 'destructive', given !== undefined", "given ?? 'read', given !== undefined"),
  base("hasCall ? 'destructive' : 'read'", "hasCall ? 'read' : 'read'"),
  base('facts.governed === false &&', 'facts.governed === true &&'),
  base('facts.tool.developer === true &&', ''),
  base('facts.contract ?? facts.profile', 'facts.profile'),
  base('facts.contract ?? facts.profile', 'facts.contract'),
  base('facts.mode ?? facts.parent?.modeMax', 'facts.mode'),
  base('listed && readClass(listed.toolClass)', 'undefined'),
  base('tool.source.trusted !== true', 'tool.source.trusted === true'),
  base('return stricter(given, hinted)', 'return given ?? hinted'),
  base('narrowerMode(mode, modeMax) === mode', 'narrowerMode(mode, modeMax) !== mode'),
  base("['profile', 'parent'] as const", "['profile'] as const"),
  base("['profile', 'parent'] as const", "['parent'] as const"),

  toolClass('compareClass(a, b) >= 0 ? a : b', 'compareClass(a, b) >= 0 ? b : a'),
  toolClass(
    'toolClasses.indexOf(a) - toolClasses.indexOf(b)',
    'toolClasses.indexOf(b) - toolClasses.indexOf(a)',
  ),
  toolClass(
    "['read', 'sensitive', 'write', 'external', 'destructive']",
    "['read', 'sensitive', 'external', 'write', 'destructive']",
  ),
  mode('<= toolModes.indexOf(b) ? a : b', '>= toolModes.indexOf(b) ? a : b'),
  mode("defaultToolMode: ToolMode = 'ask'", "defaultToolMode: ToolMode = 'auto'"),
  verdict(
    'verdicts.indexOf(a) >= verdicts.indexOf(b) ? a : b',
    'verdicts.indexOf(a) <= verdicts.indexOf(b) ? a : b',
  ),
  verdict('Math.min(rememberScopes.indexOf(a)', 'Math.max(rememberScopes.indexOf(a)'),
  verdict(
    "toolClass === 'external' || toolClass === 'destructive' ? irreversible",
    "toolClass === 'external' ? irreversible",
  ),
  verdict("remember: 'session' }", "remember: 'rule' }"),

  table("off:       { read: 'hidden'", "off:       { read: 'run'"),
  table("read_only: { read: 'run',    sensitive: 'ask'", "read_only: { read: 'run',    sensitive: 'run'"),
  table("sensitive: 'ask',    write: 'hidden'", "sensitive: 'ask',    write: 'ask'"),
  table("sensitive: 'ask',    write: 'ask',", "sensitive: 'ask',    write: 'run',"),
  table("write: 'run',    external: 'ask'", "write: 'run',    external: 'run'"),
  table("external: 'ask',    destructive: 'ask' },\n}", "external: 'ask',    destructive: 'run' },\n}"),

  contractEntry(
    'Object.hasOwn(contract.tools, name)) return true',
    'Object.hasOwn(contract.tools, name)) return false',
  ),
  contractEntry('return Object.hasOwn(contract.tools, tool) ?', 'return tool in contract.tools ?'),
  contract("refusal('contract', 'The contract does not list this tool.')", 'undefined'),
  contract('contractRestricts(contract)\n', '!contractRestricts(contract)\n'),
  contract("return refusal('unknown'", "return undefined && refusal('unknown'"),

  check("'failed' in check", "'broken' in check"),
  check("check.verdict === 'run'", "check.verdict === 'ask'"),
  check("check.verdict !== 'ask'", "check.verdict === 'deny'"),
  check("verdict: 'deny', category: 'dynamic'", "verdict: 'ask', category: 'dynamic'"),
  check("verdict: 'ask',", "verdict: 'run',"),

  grantLayer('if (reason === undefined) return undefined', 'if (reason !== undefined) return undefined'),
  grantLayer("verdict: 'deny'", "verdict: 'ask'"),
  grantLayer('toolClass: base.toolClass', "toolClass: 'read'"),
  grant('grant.subject !== use.subject', 'grant.subject === use.subject'),
  grant('grant.audience !== use.audience', 'grant.audience === use.audience'),
  grant('use.now < grant.expiresAt', 'use.now <= grant.expiresAt'),
  grant('use.now < grant.expiresAt', 'use.now > grant.expiresAt'),
  grant('!lists(grant.tools, call.tool)', 'lists(grant.tools, call.tool)'),
  grant('grant.classMax) <= 0', 'grant.classMax) < 0'),
  grant('grant.classMax) <= 0', 'grant.classMax) >= 0'),
  grant('!isToolClass(grant.classMax)', 'isToolClass(grant.classMax)'),

  killList('entry.name === facts.tool.name', 'entry.name !== facts.tool.name'),
  killList('entry.name === facts.tool.source.name', 'entry.name === facts.tool.source.kind'),
  killList('entry.name === facts.principal', 'entry.name === facts.tool.name'),
  killList('return true', 'return false'),
  killList("verdict: 'deny'", "verdict: 'ask'"),
  killList('facts.killed?.find(', 'facts.killed?.slice(0, 1).find('),

  modeLayer('!isToolMode(facts.mode)', 'isToolMode(facts.mode)'),
  modeLayer("verdict === 'hidden' ? 'deny' : verdict", "verdict === 'hidden' ? 'ask' : verdict"),
  modeLayer('decideTool(base.mode, base.toolClass)', "decideTool('auto', base.toolClass)"),
  modeLayer('decideTool(base.mode, base.toolClass)', "decideTool(base.mode, 'read')"),

  parent("parent.verdict === 'deny')", "parent.verdict === 'ask')"),
  parent("const asks = parent.verdict === 'ask'", "const asks = parent.verdict === 'run'"),
  parent('isVerdict(parent.verdict) &&', ''),
  parent('isToolMode(parent.modeMax)) &&', 'true) &&'),
  parent('!(Array.isArray(tools) && tools.includes(facts.tool.name))', 'tools.includes(facts.tool.name)'),
  parent('compareClass(base.toolClass, toolClassMax) <= 0', 'compareClass(base.toolClass, toolClassMax) < 0'),
  parent(
    'compareClass(base.toolClass, toolClassMax) <= 0',
    'compareClass(base.toolClass, toolClassMax) >= 0',
  ),
  parent("layer: 'parent', verdict: 'deny'", "layer: 'parent', verdict: 'ask'"),

  profile('!isToolMode(modeMax)', 'isToolMode(modeMax)'),
  profile('!(Array.isArray(tools) && tools.includes(facts.tool.name))', 'tools.includes(facts.tool.name)'),
  profile('tools !== undefined &&', 'tools?.length &&'),
  profile("layer: 'profile', verdict: 'deny'", "layer: 'profile', verdict: 'ask'"),

  remembered("standing.verdict === 'deny'", "standing.verdict === 'ask'"),
  remembered('fitting.find(({ approved }) => approved !== true) ?? fitting[0]', 'fitting[0]'),
  remembered("recollection(answer, 'deny', 'refused')", "recollection(answer, 'ask', 'refused')"),
  remembered("standing.verdict !== 'ask' || ", ''),
  remembered("standing.verdict !== 'ask' || !mayAnswer(standing.qualities)", "standing.verdict !== 'ask'"),
  remembered("qualities.remember !== 'none'", "qualities.remember !== 'session'"),
  rememberedAnswer('answer.tool !== subject.tool', 'answer.tool === subject.tool'),
  rememberedAnswer('if (answer.approved !== true) return true\n', ''),
  rememberedAnswer('answer.version === subject.version && ', ''),
  rememberedAnswer(' && answer.toolClass === subject.toolClass', ''),

  rules("rule.tool !== '*' && ", ''),
  rules('rule.tool !== facts.tool.name) return false', 'rule.tool !== facts.tool.name) return true'),
  rules("outcome === 'malformed' ||", ''),
  rules("outcome === 'match'", "outcome === 'no_match'"),
  rules("rule.forced === true ? 'none' : rule.remember", 'rule.remember'),
  rules("rule.verdict === 'ask' ? 'ask' : 'deny'", 'rule.verdict'),
  rules("rule.verdict === 'ask' ? 'ask' : 'deny'", "'ask'"),
  rules('entries ??= []', 'entries = []'),
  rules('...(rule.private === true && { private: true }),', ''),
  predicate("parts.all, args, depth, 'no_match'", "parts.all, args, depth, 'match'"),
  predicate("parts.any, args, depth, 'match'", "parts.any, args, depth, 'no_match'"),
  predicate(
    "operator === 'absent' && operand === true ? 'match'",
    "operator === 'absent' && operand === false ? 'match'",
  ),
  predicate("return operand === false ? 'match'", "return operand === true ? 'match'"),
  predicate("if (found === 'malformed') return 'malformed'", "if (found === 'malformed') continue"),
  predicate('parts.length === 0) return', 'parts.length < 0) return'),

  source('!base.classGiven', 'base.classGiven'),
  source('declared) <= 0', 'declared) > 0'),
  source('declared !== undefined)\n', 'false)\n'),

  tool('!isClassKnown(tool)', 'isClassKnown(tool)'),
  tool("if (ask === true || review === 'ask') return 'ask'", "if (review === 'ask') return 'ask'"),
  tool("if (ask === true || review === 'ask') return 'ask'", "if (ask === true) return 'ask'"),
  tool("review === 'run' || mode === undefined ? 'run'", "review === 'run' || mode === undefined ? 'ask'"),
  tool("review === 'run' || mode === undefined ? 'run'", "mode === undefined ? 'run'"),
  tool('tool.declaredClass === undefined || isToolClass(tool.declaredClass)', 'true'),
  tool('tool.callClass === undefined || isToolClass(tool.callClass)', 'true'),
  tool('(tool.remember && {', '(tool.ask && {'),
  hints("if (destructive === true) return 'destructive'\n  if (readOnly === true)", 'if (readOnly === true)'),
  hints("openWorld === false ? 'read' : 'sensitive'", "openWorld === true ? 'sensitive' : 'read'"),
  hints("if (destructive !== false) return 'destructive'\n", ''),
  hints("openWorld === true ? 'external' : 'write'", "openWorld === true ? 'write' : 'external'"),
  hints("openWorld === true ? 'sensitive' : undefined", 'undefined'),

  unreachable('facts.unreachable.length === 0', 'facts.unreachable.length > 0'),
  unreachable("verdict: 'deny'", "verdict: 'ask'"),
]
