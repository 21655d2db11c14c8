/** What belongs to the name before its comma. */
const suffix = /^(?:jr|sr|[ivx]+|ph\.?\s?d|m\.?\s?d|esq)\.?$/i

/**
 * Names or genres as they were typed or pasted: separated by commas, semicolons or lines. A comma
 * before "Jr." is part of the name, and where semicolons separate every comma is.
 *
 * @returns the names without the empty ones and without repetitions, in their order
 */
export function parseNames(text: string): string[] {
  const pieces = text.split(text.includes(';') ? /[;\n]/ : /[,\n、،]/)
  return joinNames([], pieces)
}

/**
 * @param names those that are there
 * @param more those to add; a lone "Jr." joins the one before it
 */
export function joinNames(names: readonly string[], more: readonly string[]): string[] {
  const all = [...names]
  for (const piece of more) {
    const name = piece.replace(/\s+/g, ' ').trim()
    const before = all.at(-1)
    if (before !== undefined && suffix.test(name)) all[all.length - 1] = `${before}, ${name}`
    else if (name) all.push(name)
  }
  return [...new Set(all)]
}
