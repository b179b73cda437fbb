import { WireRefusal } from '../wire-refusal.ts'
import { blocksOf, type Turn } from './turns.ts'

/**
 * The rules of Anthropic's messages: the user begins; every turn says something; the turn after one with calls begins
 * with exactly one result for each of them, and results stand nowhere else; a last turn that the model is to go on with
 * does not end in white space. Errors: WireRefusal.
 */
export function checkTurnOrder(turns: readonly Turn[]): void {
  if (turns[0]?.role !== 'user')
    throw new WireRefusal('messages: the first message must be of the role "user".')
  for (const [place, turn] of turns.entries()) {
    if (place === turns.length - 1) checkBegunAnswer(turn)
    checkContent(turn, place === turns.length - 1)
    checkResults(turn, turns[place - 1])
    const isUnanswered = turn.role === 'assistant' && place === turns.length - 1
    if (isUnanswered && blocksOf(turn, 'tool_use').length > 0) throw unanswered(turn, callIds(turn))
  }
  const ids = turns.flatMap(callIds)
  if (new Set(ids).size < ids.length)
    throw new WireRefusal('messages: two tool_use blocks of the conversation bear the same id.')
}

function checkContent(turn: Turn, isLast: boolean): void {
  const mayBeEmpty = isLast && turn.role === 'assistant'
  const blank = turn.blocks.some((block) => block.type === 'text' && block.text?.trim() === '')
  if ((turn.blocks.length > 0 && !blank) || mayBeEmpty) return
  throw new WireRefusal(`messages.${turn.index}: content and its text blocks must not be empty or blank.`)
}

function checkBegunAnswer({ role, blocks, index }: Turn): void {
  const { type, text = '' } = blocks.at(-1) ?? { type: '' }
  if (role !== 'assistant' || type !== 'text' || !/\s$/.test(text)) return
  throw new WireRefusal(`messages.${index}: the last assistant content must not end in white space.`)
}

function checkResults(turn: Turn, before: Turn | undefined): void {
  if (turn.role !== 'user') return
  const open = new Set(callIds(before))
  for (const { tool_use_id: id } of blocksOf(turn, 'tool_result')) {
    if (open.delete(id ?? '')) continue
    throw new WireRefusal(
      `messages.${turn.index}: the tool_result for "${id}" answers no open tool_use block of the message before it.`,
    )
  }
  if (open.size > 0) throw unanswered(turn, [...open])
  const firstOther = turn.blocks.findIndex((block) => block.type !== 'tool_result')
  if (firstOther >= 0 && turn.blocks.slice(firstOther).some((block) => block.type === 'tool_result'))
    throw new WireRefusal(`messages.${turn.index}: tool_result blocks must come before all other content.`)
}

function callIds(turn: Turn | undefined): string[] {
  return blocksOf(turn, 'tool_use').map((block) => block.id ?? '')
}

function unanswered(turn: Turn, ids: readonly string[]): WireRefusal {
  return new WireRefusal(
    `messages.${turn.index}: every tool_use block needs its tool_result block in the message right after it; these have none: ${ids.join(', ')}.`,
  )
}
