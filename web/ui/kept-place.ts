/** A reader's place in a list: an item, and its height in the window. */
export interface KeptPlace {
  /** The item's `data-place`. */
  item: string
  /** Its `aria-posinset`, where the list has one: only the rows in sight are in the page. */
  position: number | null
  /** Pixels from the window's top to the item's. */
  top: number
  /** Pixels the page was scrolled by. */
  scrollY: number
  /** The link of a list that was opened. */
  link: { item: string; href: string } | null
}

const storageKey = 'octavo-places'

/** Entries of the history whose places are kept. */
const most = 50

let places: Map<string, KeptPlace> | undefined

/** @returns the places of this tab by the key of their history entry, oldest first */
function readPlaces(): Map<string, KeptPlace> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]')
    return new Map(Array.isArray(kept) ? (kept as [string, KeptPlace][]) : [])
  } catch {
    return new Map()
  }
}

/**
 * Keeps the place of a history entry, also across a reload where there is storage.
 *
 * @param key `location.key` of the router
 * @param place none forgets what was kept
 */
export function keepPlace(key: string, place: KeptPlace | null): void {
  places ??= readPlaces()
  const had = places.delete(key)
  if (!place && !had) return
  if (place) places.set(key, place)
  for (const oldest of [...places.keys()].slice(0, -most)) places.delete(oldest)
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...places]))
  } catch {
    // Without room in the storage, places last as long as the page.
  }
}

/** @returns the place that was kept of a history entry */
export function keptPlace(key: string): KeptPlace | undefined {
  places ??= readPlaces()
  return places.get(key)
}

/** Forgets what this module has read, as a reload does. */
export function resetPlaces(): void {
  places = undefined
}
