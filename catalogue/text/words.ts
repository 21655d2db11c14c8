/** Words too frequent to search by; they affect only the order of results, slightly. */
const stopWords = new Set(
  `a an and as at but by for from his her i if in into is it its my no not of on or s t that the this to
  was with de des du la le les l un une et en der die das den dem ein eine und im am zu von el los las y
  del al il lo gli i e di da della o os as do dos`.split(/\s+/),
)

/** Words that readers add to a title. */
const noiseWords = new Set(
  `book books novel novels author written story edition paperback hardcover hardback ebook kindle isbn
  series volume part read online pdf epub free manga comic english full complete unabridged summary by`.split(
    /\s+/,
  ),
)

const articles = new Set(
  'the a an le la les un une der die das ein eine el los las il lo gli o os as'.split(' '),
)
const lastArticles = new Set('the a an le la les der die das el il'.split(' '))

/** @returns whether a folded word is ignored unless the query has nothing else */
export function isStopWord(word: string): boolean {
  return stopWords.has(word)
}

/** The start of a question for a book; a question may also end in "about". */
const question =
  /^(?:who (?:wrote|is the author of)|what is|where (?:to|can i) (?:find|get|buy|read)|i am looking for|looking for)(?: the| a)?(?: (?:books?|novel|story))?(?: (?:called|titled|named))? /

/**
 * @param words the folded words of a text
 * @returns the number of words at the start and at the end that are only part of the question
 */
export function questionWords(words: readonly string[]): { first: number; last: number } {
  const asked = question.exec(words.join(' '))?.[0].trim()
  if (asked === undefined) return { first: 0, last: 0 }
  return { first: asked.split(' ').length, last: words.at(-1) === 'about' ? 1 : 0 }
}

/** @returns whether a folded word is dropped first if not all words match together */
export function isNoiseWord(word: string): boolean {
  return noiseWords.has(word)
}

/**
 * The keys of a whole title: without spaces, with and without its leading (or inverted, trailing)
 * article.
 *
 * @param folded a title or query folded by `foldTitle`
 * @returns one or two keys; none for an empty text
 */
export function titleKeys(folded: string): string[] {
  if (folded === '') return []
  const bare = withoutArticles(folded)
  const keys = [folded.replaceAll(' ', '')]
  if (bare !== folded) keys.push(bare.replaceAll(' ', ''))
  return keys
}

/** @returns a folded title without its leading article */
export function withoutArticle(folded: string): string {
  const space = folded.indexOf(' ')
  return space > 0 && articles.has(folded.slice(0, space)) ? folded.slice(space + 1) : folded
}

function withoutArticles(folded: string): string {
  const rest = withoutArticle(folded)
  const last = rest.lastIndexOf(' ')
  return last > 0 && lastArticles.has(rest.slice(last + 1)) ? rest.slice(0, last) : rest
}

/**
 * A 52-bit hash for keys that are verified after the lookup (FNV-1a twice, with different offsets).
 *
 * @returns a whole number below 2^52
 */
export function hash(text: string): number {
  let high = 0x811c9dc5
  let low = 0x01234567
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ (code + i), 0x01000193)
  }
  return (high >>> 0) * 0x100000 + ((low >>> 0) & 0xfffff)
}

const ones =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`.split(/\s+/)
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const numbers = new Map([
  ...ones.map((word, n): [string, number] => [word, n]),
  ...tens.map((word, n): [string, number] => [word, 20 + 10 * n]),
  ['hundred', 100],
  ['thousand', 1000],
])

const ordinals = new Map(
  `1st first 2nd second 3rd third 4th fourth 5th fifth 6th sixth 7th seventh 8th eighth 9th ninth
  10th tenth 11th eleventh 12th twelfth 13th thirteenth 18th eighteenth 19th nineteenth
  20th twentieth 21st twenty-first`
    .match(/\S+ \S+/g)
    ?.flatMap((pair) => {
      const [digits = '', words = ''] = pair.split(' ')
      const forms: [string, string][] = [[digits, words.replace('-', ' ')]]
      return words.includes('-') ? forms : [...forms, [words, digits] as [string, string]]
    }),
)
const romans = 'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx'.split(' ')

/** @returns the value of a folded Roman numeral up to twenty; 0 for other words */
export const romanNumber = (word: string) => romans.indexOf(word) + 1

/**
 * The other ways to write a number: digits as English words, number words as digits, and both as
 * Roman numerals.
 *
 * @param word one folded word
 * @returns the words of each form, for example 20000 -> [['twenty', 'thousand']]
 */
export function numberForms(word: string): string[][] {
  const value = numbers.get(word)
  if (value !== undefined) return [[String(value)]]
  const ordinal = ordinals.get(word)
  if (ordinal !== undefined) return [ordinal.split(' ')]
  // A single I, V or X is usually something else.
  const roman = word.length > 1 ? romanNumber(word) : 0
  if (roman > 0) return [[String(roman)], spell(roman)]
  if (!/^[1-9]\d{0,5}$/.test(word)) return []
  const spelled = spell(Number(word))
  const forms = [spelled]
  if (spelled[0] === 'one' && spelled.length > 1) forms.push(spelled.slice(1))
  const numeral = romans[Number(word) - 1]
  if (numeral && numeral !== 'i') forms.push([numeral])
  // As a year: nineteen eighty four.
  const [century, year] = [Math.floor(Number(word) / 100), Number(word) % 100]
  if (century >= 11 && century <= 20 && year >= 10) forms.push([...spell(century), ...spell(year)])
  return forms
}

/** @returns the number that the words form, as a count or a year; null if none */
export function numberOf(words: readonly string[]): number | null {
  let thousands = 0
  let rest = 0
  for (const word of words) {
    const value = numbers.get(word)
    if (value === undefined) return null
    if (value === 1000) {
      thousands += 1000 * Math.max(rest, 1)
      rest = 0
    } else if (value === 100) rest = 100 * Math.max(rest, 1)
    else if (rest === 0 || (rest % 100 === 0 && value > 0)) rest += value
    else if (rest % 10 === 0 && value > 0 && value < 10) rest += value
    // Two two-digit numbers are a year.
    else if (rest >= 10 && rest < 100 && value >= 10) rest = 100 * rest + value
    else return null
  }
  return thousands + rest
}

/** Words in names and titles and their abbreviations. */
const sameWords = new Map(
  'doctor dr mister mr saint st sainte ste mount mt part pt christmas xmas versus vs'
    .match(/\S+ \S+/g)
    ?.flatMap((pair) => {
      const [long = '', short = ''] = pair.split(' ')
      return [
        [long, short],
        [short, long],
      ] as [string, string][]
    }),
)

/** @returns the word's long or short form, if there is one */
export function otherForm(word: string): string | undefined {
  return sameWords.get(word)
}

function spell(n: number): string[] {
  if (n >= 1000) return [...spell(Math.floor(n / 1000)), 'thousand', ...rest(n % 1000)]
  if (n >= 100) return [...spell(Math.floor(n / 100)), 'hundred', ...rest(n % 100)]
  if (n >= 20) return [tens[Math.floor(n / 10) - 2] ?? '', ...rest(n % 10)]
  return [ones[n] ?? '']
}

function rest(n: number): string[] {
  return n === 0 ? [] : spell(n)
}
