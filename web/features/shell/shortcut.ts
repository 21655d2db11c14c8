/** What a key opens anywhere: the palette, or the list of keys. */
export type Shortcut = 'palette' | 'keys'

export const shortcutEvent = 'octavo:shortcut'

/** Opens it as its key would, for those who have no keyboard. */
export function askShortcut(what: Shortcut): void {
  window.dispatchEvent(new CustomEvent(shortcutEvent, { detail: what }))
}
