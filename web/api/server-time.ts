import { setServerAhead } from '#web/i18n/server-clock.ts'

const storageKey = 'octavo:clock'

/** Clocks that differ by less, in milliseconds, are right: answers are on their way for a while. */
const tolerated = 60_000

/**
 * Notes by how much this device's clock is wrong.
 *
 * @param date the header `Date` of an answer that no cache has given
 */
export function noteServerTime(date: string | null): void {
  const ahead = Date.parse(date ?? '') - Date.now()
  if (Number.isNaN(ahead)) return
  const isRight = Math.abs(ahead) < tolerated
  setServerAhead(isRight ? 0 : ahead)
  try {
    if (isRight) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, String(ahead))
  } catch {
    // Without room in the storage the device's own clock counts.
  }
}

/** @returns the time by the server's clock, as its last answer told it, in milliseconds */
export function serverTime(): number {
  try {
    return Date.now() + (Number(localStorage.getItem(storageKey)) || 0)
  } catch {
    return Date.now()
  }
}
