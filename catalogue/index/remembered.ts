/**
 * Keeps the answers last asked for.
 *
 * @param most how many; the one not asked for the longest goes first
 * @returns gives the answer kept under a key, or makes and keeps it
 */
export function remembered<Value>(most: number): (key: string, make: () => Value) => Value {
  const kept = new Map<string, Value>()
  return (key, make) => {
    const value = kept.get(key) ?? make()
    kept.delete(key)
    kept.set(key, value)
    const oldest = kept.keys().next()
    if (kept.size > most && !oldest.done) kept.delete(oldest.value)
    return value
  }
}
