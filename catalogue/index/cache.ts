/**
 * Caches values by key.
 *
 * @param max how many; the least recently used goes first
 * @returns gives the value cached under a key, or makes and caches it
 */
export function lruCache<Value>(max: number): (key: string, make: () => Value) => Value {
  const kept = new Map<string, Value>()
  return (key, make) => {
    const value = kept.get(key) ?? make()
    kept.delete(key)
    kept.set(key, value)
    const oldest = kept.keys().next()
    if (kept.size > max && !oldest.done) kept.delete(oldest.value)
    return value
  }
}
