/**
 * @returns the key of a shortcut in lower case; on a keyboard of other letters, such as Arabic, Greek
 *   or Russian, the Latin one in the same place; '' for keys that compose a word
 */
export function latinKey({
  key,
  code,
  shiftKey,
  isComposing,
}: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'isComposing'>): string {
  if (isComposing) return ''
  // A letter of a Latin keyboard, wherever it is, or a key with a name; input methods and the
  // keyboards of phones give these two to any key.
  if (/^(?!Process|Unidentified)[\x20-\x7E]+$/.test(key)) return key.toLowerCase()
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter) return letter.toLowerCase()
  return code === 'Slash' ? (shiftKey ? '?' : '/') : key
}
