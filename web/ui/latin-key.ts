/**
 * @returns the key of a shortcut in lower case; on a keyboard of other letters, such as Arabic, Greek
 *   or Russian, the Latin one in the same place
 */
export function latinKey({
  key,
  code,
  shiftKey,
}: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  // A letter of a Latin keyboard, wherever it is, or a key with a name.
  if (/^[\x20-\x7E]+$/.test(key)) return key.toLowerCase()
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter) return letter.toLowerCase()
  return code === 'Slash' ? (shiftKey ? '?' : '/') : key
}
