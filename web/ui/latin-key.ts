/** Names that input methods and keyboards of phones give to any key. */
const unnamed = ['Process', 'Unidentified']

/**
 * @returns the key of a shortcut in lower case; on a keyboard of other letters, such as Arabic, Greek
 *   or Russian, the Latin one in the same place; '' for keys that compose a word
 */
export function latinKey(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'isComposing'>,
): string {
  const { key, code, shiftKey } = event
  if (event.isComposing) return ''
  // A letter of a Latin keyboard, wherever it is, or a key with a name.
  if (/^[\x20-\x7E]+$/.test(key) && !unnamed.includes(key)) return key.toLowerCase()
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter) return letter.toLowerCase()
  return code === 'Slash' ? (shiftKey ? '?' : '/') : key
}
