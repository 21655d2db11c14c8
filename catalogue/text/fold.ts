import { westernDigits } from '#shared/digits.ts'

/**
 * Separates the pieces of an indexed column: the printed words come first, then other spellings,
 * and no phrase matches across. A private-use character, which readers don't type.
 */
export const separator = '\uE000'

/** @returns the pieces of an indexed column */
export const pieces = (column: string) => column.split(separator).map((piece) => piece.trim())

/** Scripts without spaces between words, which are indexed as pairs of characters. */
const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー々〆'
const unspacedRun = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu')
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u')

/** Letters that Unicode normalisation doesn't decompose, and variants of the same letter. */
const letters = new Map(
  // Pairs of a letter and its replacement. Arabic, Persian and Urdu keyboards have different
  // characters for the same letter.
  `ß ss æ ae œ oe ø o ı i đ d ł l þ th ð d ς σ
  ى ي ی ي ے ي ک ك ة ه ۀ ه ە ه ہ ه ھ ه ٱ ا \u0901 \u0902`
    .match(/\S+ \S+/gu)
    ?.map((pair): [string, string] => [pair.split(' ')[0] ?? '', pair.split(' ')[1] ?? '']),
)
const letter = new RegExp(`[${[...letters.keys()].join('')}]`, 'gu')
/**
 * Marks that readers leave out: Latin, Greek and Cyrillic; Hebrew; Arabic, with the tatweel; nukta.
 */
const marks = /[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u093C]/gu
const apostrophe = /['’‘ʼ`´′＇]/gu
/** French small words before one another stay two words: “d’une” isn't Dune. */
const elision =
  /(?<!\p{L})([cdjlmnst]|qu)['’‘ʼ`´′＇](?=(?:une?|on|ils?|elles?|est|ai|en)(?!\p{L}))/giu
const sameWord: Record<string, string> = { vol: 'volume', vols: 'volumes' }

/**
 * Folds a text for the index and for queries: compatibility forms unified, marks removed, lower
 * case, katakana as hiragana, no apostrophes, single spaces. Vowel signs of Indic scripts stay, as
 * they are letters.
 *
 * @returns words of letters and digits joined by single spaces, possibly empty
 */
export function foldTitle(text: string): string {
  const kind = kindOf(text)
  if (kind === 'other') return inWords(foldLetters(text))
  const plain = text.toLowerCase()
  return kind === 'plain' ? sameWords(plain) : inWords(withoutApostrophes(plain))
}

const withoutApostrophes = (text: string) => text.replace(elision, '$1 ').replace(apostrophe, '')

function inWords(text: string): string {
  return sameWords(
    text
      .replaceAll('&', ' and ')
      .replace(/(\d)[,.](?=\d{3}(?!\d))/g, '$1')
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
      .trim(),
  )
}

function sameWords(text: string): string {
  if (!text.includes('vol')) return text
  return text
    .split(' ')
    .map((word) => sameWord[word] ?? word)
    .join(' ')
}

/**
 * Classifies a text. Most titles have only ASCII letters and digits with single spaces and just
 * need lower case; checking this first makes an import several times faster.
 */
function kindOf(text: string): 'plain' | 'ascii' | 'other' {
  let plain = true
  let last = 32
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) return 'other'
    const wordly =
      (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
    if (!wordly && (code !== 32 || last === 32)) plain = false
    last = code
  }
  return plain && last !== 32 ? 'plain' : 'ascii'
}

function foldLetters(text: string): string {
  return westernDigits(
    withoutApostrophes(text)
      .replace(/\u00AD|\u200B|\u200D|\u2060/g, '')
      .replace(/\u200C/g, ' ')
      .normalize('NFKD')
      .toLowerCase()
      .replace(marks, '')
      // Decomposing ŉ adds another apostrophe.
      .replace(apostrophe, '')
      .normalize('NFC')
      .replace(letter, (l) => letters.get(l) ?? l)
      .replace(/[\u30A1-\u30F6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60)),
  )
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}

/**
 * Splits a text into tokens: words and, for Chinese, Japanese and Korean, every pair of
 * neighbouring characters (or a single one).
 *
 * @returns the tokens in reading order
 */
export function foldWords(text: string): string[] {
  return tokensOf(foldTitle(text))
}

function tokensOf(folded: string): string[] {
  if (folded === '') return []
  const words = folded.split(' ')
  if (isAscii(folded)) return words
  const tokens: string[] = []
  for (const word of words) {
    if (isAscii(word)) tokens.push(word)
    else for (const run of word.match(unspacedRun) ?? []) pushRun(tokens, run)
  }
  return tokens
}

function pushRun(tokens: string[], run: string): void {
  const characters = isUnspaced.test(run) ? [...run] : []
  if (characters.length < 2) tokens.push(run)
  for (let i = 0; i + 1 < characters.length; i++)
    tokens.push(`${characters[i]}${characters[i + 1]}`)
}

/** @returns whether a token comes from a script written without spaces */
export function isUnspacedToken(token: string): boolean {
  return isUnspaced.test(token)
}

/**
 * The indexed form of a text: its tokens and, after a separator, other spellings (l'étranger as
 * etranger, Bücher as buecher, Catch-22 as catch22, J.R.R. as jrr, Arabic words without their
 * article).
 *
 * @param folded the text folded by `foldTitle`, if already known
 * @returns tokens joined by spaces
 */
export function indexText(text: string, folded: string = foldTitle(text)): string {
  // Without digits, marks and initials there is no other spelling.
  if (/^[A-Za-z ]*$/.test(text) && !/(?:^| )[a-z] [a-z](?: |$)/.test(folded)) return folded
  const tokens = tokensOf(folded)
  const variants = otherSpellings(text, folded)
  for (const token of tokens) variants.delete(token)
  const printed = tokens.join(' ')
  return variants.size === 0 ? printed : `${printed} ${separator} ${[...variants].join(' ')}`
}

/** Finds other spellings, after cheap checks, as an import calls it millions of times. */
function otherSpellings(text: string, folded: string): Set<string> {
  const found = new Set<string>()
  const add = (other: string) => foldWords(other).forEach((word) => found.add(word))
  const ascii = isAscii(text)
  const words = folded.split(' ')
  if (!ascii || /['`]/.test(text)) text.split(/\s+/).forEach((word) => addWritten(word, add))
  if (!ascii) for (const word of words) if (/^ال.{3,}/u.test(word)) found.add(word.slice(2))
  if (/\p{N}/u.test(folded)) addWithNumbers(words, found)
  if (/[-‐‑–]/u.test(text)) addCompounds(text, add)
  for (const initials of folded.match(/(?<![^ ])\p{L}(?: \p{L}(?![^ ]))+/gu) ?? [])
    found.add(initials.replaceAll(' ', ''))
  return found
}

/** Adds the other spellings of a printed word. */
function addWritten(word: string, add: (other: string) => void): void {
  const parts = word.split(apostrophe)
  if (parts.length > 1) for (const part of parts) if (part.length > 1) add(part)
  if (/[äöüåø]/iu.test(word.normalize('NFC'))) add(spelledOut(word))
  if (word.includes('\u200C')) add(word.replaceAll('\u200C', ''))
}

/** Adds letters joined with numbers, and separated from them. */
function addWithNumbers(words: string[], found: Set<string>): void {
  for (const [i, word] of words.entries()) {
    const mixed = /^(\p{L}+)(\p{N}+)$/u.exec(word)
    if (mixed?.[1] && mixed[2]) found.add(mixed[1]).add(mixed[2])
    const next = words[i + 1]
    if (next && /^\d+$/.test(next) && /^\p{L}{2,}$/u.test(word)) found.add(word + next)
  }
}

/** Adds hyphenated words as one word. */
function addCompounds(text: string, add: (other: string) => void): void {
  for (const compound of text.match(/[\p{L}\p{N}\p{M}'’]+(?:[-‐‑–][\p{L}\p{N}\p{M}'’]+)+/gu) ?? [])
    add(compound.replace(/[-‐‑–]/gu, ''))
}

function spelledOut(word: string): string {
  const long: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
  return word
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüåø]/g, (l) => long[l] ?? l)
}
