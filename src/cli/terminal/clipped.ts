/** A text with at most `charactersMax` characters; an ellipsis stands for the rest. */
export function clipped(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  return `${text.slice(0, charactersMax - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
