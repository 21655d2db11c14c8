/** @returns whether two values of a field differ; lists and objects are compared by what they hold */
export function differs(a: unknown, b: unknown): boolean {
  return a !== b && JSON.stringify(a) !== JSON.stringify(b)
}
