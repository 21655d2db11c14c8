const key = 'searches'
const max = 6

/** The reader's id, so that nobody sees the searches of another reader on the same device. */
interface Kept {
  user: string
  texts: string[]
}

/** @returns what was searched on this device by this reader ('' for a visitor), the last first */
export function recentSearches(user: string): string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Kept> | null
    if (kept?.user !== user || !Array.isArray(kept.texts)) return []
    return kept.texts.filter((text) => typeof text === 'string').slice(0, max)
  } catch {
    // A browser that keeps nothing has none.
    return []
  }
}

export function saveSearch(user: string, text: string): void {
  const others = recentSearches(user).filter((one) => one.toLowerCase() !== text.toLowerCase())
  const kept: Kept = { user, texts: [text, ...others].slice(0, max) }
  try {
    localStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // The storage is full or disabled: search all the same.
  }
}

export function clearSearches(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Without storage there is nothing to delete.
  }
}
