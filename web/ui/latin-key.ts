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

/**
 * @returns whether it is Ctrl-K, or ⌘K; with Shift it is the browser's own, and with Alt the AltGr of
 *   Windows, which types a letter
 */
export const isPaletteKey = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && latinKey(event) === 'k'
