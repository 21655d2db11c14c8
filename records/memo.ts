/** @returns the function with its result cached for each object it is called with */
export function memo<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) known.set(key, (value = compute(key)))
    return value
  }
}
