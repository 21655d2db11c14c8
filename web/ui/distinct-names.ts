/**
 * Numbers names that several things of a list share, so that a list of its buttons tells them apart.
 *
 * @returns "A (1)", "B", "A (2)" for "A", "B", "A"
 */
export function distinctNames(names: readonly string[]): string[] {
  const isShared = (name: string) => names.indexOf(name) !== names.lastIndexOf(name)
  const counts = new Map<string, number>()
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return isShared(name) ? `${name} (${count})` : name
  })
}
