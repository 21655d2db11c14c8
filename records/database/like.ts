/** Steps between two checks of the clock: less than a millisecond. */
const unlooked = 1 << 16

const any = -1
const one = -2

/**
 * SQLite's LIKE with `\` as escape, case-insensitive for ASCII letters. SQLite's own can't be
 * interrupted within one comparison, which can take minutes for a long text.
 *
 * @param look called regularly; may throw to stop
 */
export function isLike(text: string, pattern: string, look: () => void): boolean {
  const tokens = tokensOf(pattern)
  if (!tokens) return false
  let [at, token] = [0, 0]
  // The position of the last `%` among the tokens, and the end of the text it has matched so far.
  let [last, swallowed] = [-1, 0]
  for (let steps = 0; at < text.length; steps++) {
    if ((steps & (unlooked - 1)) === unlooked - 1) look()
    const wanted = tokens[token]
    if (wanted === any) {
      last = token++
      if (token === tokens.length) return true
      swallowed = at
    } else if (wanted === one) {
      at += widthAt(text, at)
      token++
    } else if (wanted !== undefined && wanted === folded(text.charCodeAt(at))) {
      at++
      token++
    } else {
      if (last < 0) return false
      swallowed += widthAt(text, swallowed)
      at = swallowed
      token = last + 1
    }
  }
  while (tokens[token] === any) token++
  return token === tokens.length
}

/** @returns undefined for a pattern that ends inside an escape, which matches nothing */
function tokensOf(pattern: string): number[] | undefined {
  const tokens: number[] = []
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]
    if (char === '%') tokens.push(any)
    else if (char === '_') tokens.push(one)
    else {
      if (char === '\\' && ++i === pattern.length) return undefined
      tokens.push(folded(pattern.charCodeAt(i)))
    }
  }
  return tokens
}

function folded(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

/** @returns the character's length in code units */
function widthAt(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1
}
