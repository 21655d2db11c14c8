/** Inflectional endings; the first that matches is removed. */
const endings: [RegExp, string][] = [
  [/ies$|ied$/, 'y'],
  [/(ss|sh|ch|x)es$/, '$1'],
  [/([^sui])s$/, '$1'],
]
const verbs = /^(.*[aeiouy].*)(?:ing|ed)$/
const adverbs = /^(.{3,}?)(?:fully|ful|ness|ly)$/

/** The size of the cache: few words make up most texts. */
const maxCached = 50_000
const stems = new Map<string, string>()

/**
 * Stems a word: "hunting" and "hunted" to "hunt", "families" to "famili". English only; words of
 * other languages lose at most an ending, the same in the index and in queries.
 *
 * @param word one folded word
 * @returns a stem that is the same for all forms of the word
 */
export function stem(word: string): string {
  if (word.length < 4) return word
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size === maxCached) stems.clear()
  const made = /^[a-z]+$/.test(word) ? rootOf(word) : word
  stems.set(word, made)
  return made
}

function rootOf(word: string): string {
  let rest = word
  for (const [ending, left] of endings)
    if (ending.test(rest)) {
      rest = rest.replace(ending, left)
      break
    }
  rest = adverbs.exec(rest)?.[1] ?? rest
  const root = verbs.exec(rest)?.[1]
  if (root !== undefined && root.length > 2) rest = root.replace(/([bdfgklmnprt])\1$/, '$1')
  if (rest.length > 3) rest = rest.replace(/e$/, '')
  return rest.replace(/y$/, 'i')
}
