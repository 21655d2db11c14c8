/** The dialog a shortcut opens: the palette, or the list of keys. */
export type Shortcut = 'palette' | 'keys'

/** The dialog that was requested last. */
export interface Asked {
  what: Shortcut
  /** Typed while the palette's code was on its way. */
  text: string
}

/** The palette's place, which is the same before its code is there. */
export const paletteClass =
  'fixed inset-x-0 top-0 z-50 mx-auto flex max-h-[min(100dvh,36rem)] flex-col border border-line bg-raised text-ink shadow-lift outline-none max-md:rounded-b-md md:top-[12vh] md:max-w-xl md:rounded-md'

export const shortcutEvent = 'octavo:shortcut'

/** Opens it as its key would, for those who have no keyboard. */
export function triggerShortcut(what: Shortcut): void {
  window.dispatchEvent(new CustomEvent(shortcutEvent, { detail: what }))
}

/** Whether to tell of keys: where a finger is what points, there are none as a rule. */
export const hasKeyboard = () => !matchMedia('(pointer: coarse)').matches
