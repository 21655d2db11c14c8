/**
 * What `~` looks for, as a LIKE pattern with `\` as escape: found anywhere in the text, unless it
 * says with a `%` where it may stand; then it is taken as it is.
 */
export function likePattern(text: string): string {
  return hasWildcard(text) ? closed(text) : `%${text.replace(/[\\%_]/g, escapeOne)}%`
}

function escapeOne(char: string, at: number, text: string): string {
  // A percent that came escaped stays a percent.
  if (char === '\\' && text[at + 1] === '%') return char
  if (char === '%') return char
  return `\\${char}`
}

function hasWildcard(text: string): boolean {
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1))
    if (text[at - 1] !== '\\') return true
  return false
}

/** A pattern may not end inside an escape: PostgreSQL refuses it, SQLite matches nothing. */
function closed(pattern: string): string {
  const slashes = /(?<!\\)\\*$/.exec(pattern)![0].length
  return slashes % 2 ? `${pattern}\\` : pattern
}
