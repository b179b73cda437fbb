/** A provider's warning as a sentence; its shape differs between the versions of the provider interface. */
export function warningText(warning: unknown): string {
  if (typeof warning !== 'object' || warning === null) return String(warning)
  const { type, feature, setting, details, message } = warning as Record<string, unknown>
  const about = feature ?? setting
  const words = [type, about].filter((word) => typeof word === 'string').join(' ')
  const rest = message ?? details
  return typeof rest === 'string' ? (about === undefined ? rest : `${words}: ${rest}`) : words
}
