/** By how many milliseconds the server's clock is ahead of this device's, as an answer told it. */
let ahead = 0
const listeners = new Set<() => void>()

/** Answers take this long to arrive, more or less, in milliseconds. */
const jitter = 5000

/** Notes by how many milliseconds the server's clock is ahead; 0 for a device whose clock is right. */
export function setServerAhead(by: number): void {
  if (by !== 0 && Math.abs(by - ahead) < jitter) return
  if (by === ahead) return
  ahead = by
  for (const listener of listeners) listener()
}

export const serverAhead = (): number => ahead

/** @returns the time by the server's clock, for times that are shown, in milliseconds */
export const serverNow = (): number => Date.now() + ahead

/** @returns ends the listening */
export function onServerAhead(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
