/** What a shortcut opens: the palette, or the list of keys. */
export type Shortcut = 'palette' | 'keys'

export const shortcutEvent = 'octavo:shortcut'

/** Opens it as its key would, for those who have no keyboard. */
export function triggerShortcut(what: Shortcut): void {
  window.dispatchEvent(new CustomEvent(shortcutEvent, { detail: what }))
}

/** Whether to tell of keys: where a finger is what points, there are none as a rule. */
export const hasKeyboard = () => !matchMedia('(pointer: coarse)').matches
