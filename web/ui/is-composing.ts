import type { KeyboardEvent } from 'react'

/** The code of a key that an input method has taken for itself. */
const taken = 229

/**
 * Whether a key belongs to an input method, such as the Enter that ends a word of Japanese. Safari ends
 * the word before it tells of that Enter, which then has only its code.
 */
export const isComposing = ({ nativeEvent }: Pick<KeyboardEvent, 'nativeEvent'>): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === taken

/** For a dialog's Escape, which may only take back a word of an input method. */
export function keepWhileComposing(nativeEvent: globalThis.KeyboardEvent): void {
  if (isComposing({ nativeEvent })) nativeEvent.preventDefault()
}
