/** The length of the prefix that is compared by deletion; the rest is compared by distance. */
const prefixLength = 8
/** Shorter words are never corrected, as nearly every other short word would match. */
export const shortestCorrected = 3

/**
 * The keys for finding a word despite one wrong, missing, extra or swapped letter: two such words
 * share a key, as deleting one letter from each gives the same text.
 *
 * @param word one folded word
 * @returns hashes of its first eight letters, and of these without each letter; none for words of
 *   one or two letters
 */
export function deletionKeys(word: string): number[] {
  if (word.length < shortestCorrected) return []
  const prefix = word.slice(0, prefixLength)
  const keys = [spellingKey(prefix)]
  for (let i = 0; i < prefix.length; i++) {
    const key = spellingKey(prefix, i)
    if (!keys.includes(key)) keys.push(key)
  }
  return keys
}

/** The bits of a key; collisions are filtered by distance. */
export const keyBits = 31

/**
 * FNV-1a of a text, optionally without one character.
 *
 * @param without index of the character to leave out; none by default
 * @returns a whole number below 2^31
 */
export function spellingKey(text: string, without = -1): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++)
    if (i !== without) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 1
}

/** Spellings of the same sound in English, German, French and transliterations of Russian. */
const sounds: [RegExp, string][] = [
  [/tsch|tch|sch|ch|sh|zh|cz|ts|tz|z|c(?=[eiy])/g, 's'],
  [/ph/g, 'f'],
  [/kh|ck|qu|q|c|x/g, 'k'],
  [/w|b(?=$)/g, 'v'],
]

/**
 * Possible English spellings of a foreign name: tchechov with the ch of Bach, soljenitsyne with the
 * French j.
 *
 * @param word one folded word
 * @returns the English spellings, the unchanged word first
 */
export function transliterations(word: string): string[] {
  const rough = [word, word.replaceAll(/(?<!^|[ts])ch/g, 'kh')]
  return [...new Set([...rough, ...rough.map((each) => each.replaceAll('j', 'zh'))])]
}

/** @returns a folded word with each sound spelled in one way */
export function phoneticForm(word: string): string {
  return sounds.reduce((text, [written, sound]) => text.replace(written, sound), word)
}

/**
 * A phonetic key without inner vowels, for names that each language spells differently.
 *
 * @param word one folded word
 * @returns a key that is the same for words that sound alike; null if it would be too short
 */
export function phoneticKey(word: string): string | null {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return null
  const plain = phoneticForm(word)
  const first = /^[aeiouyj]/.test(plain) ? 'a' : ''
  const consonants = plain.replace(/[aeiouyjh]+/g, '').replace(/(.)\1+/g, '$1')
  return consonants.length < 2 ? null : `=${first}${consonants}`
}

/** @returns the most edits between a word of this length and its correction */
export function allowedEdits(word: string): number {
  if (/\d/.test(word)) return 0
  return word.length < 7 ? 1 : 2
}

/** A lower bound of the edit distance, as each edit adds or removes at most one letter. */
function lettersApart(a: string, b: string): number {
  const [inA, inB] = [lettersOf(a), lettersOf(b)]
  return Math.max(ones(inA & ~inB), ones(inB & ~inA))
}

/** A bit mask of the groups of letters in a word, 32 in all. */
function lettersOf(word: string): number {
  let letters = 0
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31)
  return letters
}

function ones(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count += 1
  return count
}

/**
 * The optimal string alignment distance, in which a swap of neighbours is one edit.
 *
 * @param limit the distance above which the exact number doesn't matter
 * @returns the distance, or limit + 1 if it is larger
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit || lettersApart(a, b) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let best = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      row.push(cost)
      best = Math.min(best, cost)
    }
    if (best > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return Math.min(last[b.length] ?? 0, limit + 1)
}
