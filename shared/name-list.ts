import { isVisible } from './text.ts'

/** Suffixes that belong to the name before the comma. */
const suffix = /^(?:jr|sr|[ivx]+|ph\.?\s?d|m\.?\s?d|esq)\.?$/i

/**
 * Parses typed or pasted names or genres, separated by commas, semicolons or lines. A comma before
 * "Jr." is part of the name, and if there are semicolons, every comma is.
 *
 * @returns the names in order, without empty ones and duplicates
 */
export function parseNames(text: string): string[] {
  const pieces = text.split(/[;；؛]/.test(text) ? /[;；؛\n]/ : /[,，、،\n]/)
  return joinNames([], pieces)
}

/**
 * @param names the existing names
 * @param more the names to add; a lone "Jr." joins the one before it
 */
export function joinNames(names: readonly string[], more: readonly string[]): string[] {
  const all = [...names]
  for (const piece of more) {
    const name = piece.replace(/\s+/g, ' ').trim()
    const before = all.at(-1)
    if (before !== undefined && suffix.test(name)) all[all.length - 1] = `${before}, ${name}`
    else if (isVisible(name)) all.push(name)
  }
  return [...new Set(all)]
}
