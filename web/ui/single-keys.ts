const storageKey = 'single-keys'

/** The choice if storage is refused (private browsing); it lasts as long as the page. */
let choice = 'on'

/**
 * Whether the shortcuts of one key, / and ?, are on in this browser. People who dictate or press keys
 * by accident turn them off.
 */
export function hasSingleKeys(): boolean {
  try {
    return (localStorage.getItem(storageKey) ?? choice) === 'on'
  } catch {
    return choice === 'on'
  }
}

export function turnSingleKeys(isOn: boolean): void {
  choice = isOn ? 'on' : 'off'
  try {
    localStorage.setItem(storageKey, choice)
  } catch {
    // See `choice`.
  }
}
