/** Only this much of a word is compared by deletion; the rest by distance. */
const prefixLength = 8
/** Shorter words are their own corrections: nearly every other short word would be one. */
export const shortestCorrected = 3

/**
 * The keys under which a word is found when one letter is wrong, missing, too many or swapped:
 * two such words share a key, because each becomes the same text when one letter is left out.
 *
 * @param word one folded word
 * @returns hashes of its first eight letters, whole and with each letter left out; none for words
 * of one or two letters
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

/** Bits of a key; two words that share one by chance are told apart by their distance. */
export const keyBits = 31

/**
 * FNV-1a of a text, without one of its characters.
 *
 * @param without the place of the character; none unless told
 * @returns a whole number below 2^31
 */
export function spellingKey(text: string, without = -1): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++)
    if (i !== without) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 1
}

/** The same sound as English, German, French and the transliterations of Russian write it. */
const sounds: [RegExp, string][] = [
  [/tsch|tch|sch|ch|sh|zh|cz|ts|tz|z|c(?=[eiy])/g, 's'],
  [/ph/g, 'f'],
  [/kh|ck|qu|q|c|x/g, 'k'],
  [/w|b(?=$)/g, 'v'],
]

/**
 * The ways in which a name that may come from elsewhere is read: tchechov with the ch of Bach,
 * soljenitsyne with the j of French.
 *
 * @param word one folded word
 * @returns the word as English would spell each of them, as it stands first
 */
export function transliterations(word: string): string[] {
  const rough = [word, word.replaceAll(/(?<!^|[ts])ch/g, 'kh')]
  return [...new Set([...rough, ...rough.map((each) => each.replaceAll('j', 'zh'))])]
}

/** @returns a folded word as it sounds, each sound written one way */
export function phoneticForm(word: string): string {
  return sounds.reduce((text, [written, sound]) => text.replace(written, sound), word)
}

/**
 * A word as it sounds, without the vowels inside of it: for names that every language writes in its
 * own way.
 *
 * @param word one folded word
 * @returns a key that is the same for words of one sound; null when it would say too little
 */
export function phoneticKey(word: string): string | null {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return null
  const plain = phoneticForm(word)
  const first = /^[aeiouyj]/.test(plain) ? 'a' : ''
  const consonants = plain.replace(/[aeiouyjh]+/g, '').replace(/(.)\1+/g, '$1')
  return consonants.length < 2 ? null : `=${first}${consonants}`
}

/** @returns how many edits a word of this length may be away from its correction */
export function allowedEdits(word: string): number {
  if (/\d/.test(word)) return 0
  return word.length < 7 ? 1 : 2
}

/** At least so many edits are between two words: each puts one letter there or away. */
function lettersApart(a: string, b: string): number {
  const [inA, inB] = [lettersOf(a), lettersOf(b)]
  return Math.max(ones(inA & ~inB), ones(inB & ~inA))
}

/** A bit for each of 32 groups of letters that a word holds. */
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
 * Optimal string alignment: the edits between two words, where a swap of neighbours is one.
 *
 * @param limit the distance above which the exact number does not matter
 * @returns the distance, or limit + 1 when it is larger
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
