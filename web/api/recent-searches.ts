const key = 'searches'
const max = 6

/** Whose they are, so that nobody sees those of another reader of the same device. */
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
    // It is full, or keeps nothing: the search itself goes on.
  }
}

export function clearSearches(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Where nothing can be kept there is nothing to forget.
  }
}
