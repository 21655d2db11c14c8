/** The most characters of a path in the log. */
const longest = 500

/** @returns a path for the log; the rest of a private feed's is a secret */
export function loggedPath(path: string): string {
  return path.startsWith('/feeds/') ? '/feeds/' : path.slice(0, longest)
}
