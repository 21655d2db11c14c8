/**
 * Converts the right side of `~` to a LIKE pattern with `\` as escape. Without a `%`, it matches
 * anywhere in the text; with one, it is used as the pattern itself.
 */
export function likePattern(text: string): string {
  return hasWildcard(text) ? closed(text) : `%${text.replace(/[\\%_]/g, escapeOne)}%`
}

function escapeOne(char: string, at: number, text: string): string {
  // An escaped percent sign stays literal.
  if (char === '\\' && text[at + 1] === '%') return char
  if (char === '%') return char
  return `\\${char}`
}

function hasWildcard(text: string): boolean {
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1))
    if (text[at - 1] !== '\\') return true
  return false
}

/** A pattern must not end inside an escape: PostgreSQL refuses it, and SQLite matches nothing. */
function closed(pattern: string): string {
  const slashes = /(?<!\\)\\*$/.exec(pattern)![0].length
  return slashes % 2 ? `${pattern}\\` : pattern
}
