import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { westernDigits } from '#shared/digits.ts'
import type { ImportedQuote } from '#shared/import.ts'
import { foldText, withoutZeros } from '#shared/text.ts'
import { collapseSpaces } from './cells.ts'
import { readDate } from './dates.ts'
import type { TextFile } from './decode.ts'
import { MarkedBooks, quoteKey, quoteWith, rowOfMarked } from './highlights.ts'
import { splitPeople } from './people.ts'
import type { ParsedRow } from './row.ts'

/** What ends each clipping. */
const divider = '=========='

/**
 * Parts of the words for a note, a bookmark and a page in the languages of Kindles: English, German,
 * French, Spanish, Portuguese, Italian, Dutch, Russian, Japanese, Chinese and Korean. Anything that
 * is neither a note nor a bookmark is a passage.
 */
const words = {
  note: ['note', 'notiz', 'nota', 'notitie', 'заметк', 'メモ', '笔记', '筆記', '메모', '노트'],
  bookmark: [
    ['bookmark', 'lesezeichen', 'signet', 'marcador', 'segnalibro', 'bladwijzer', 'закладк'],
    ['ブックマーク', '书签', '書籤', '북마크'],
  ].flat(),
  page: ['page', 'seite', 'pagina', 'страниц', 'ページ', '页', '頁', '쪽', '페이지'],
}
const folded = Object.fromEntries(
  Object.entries(words).map(([kind, parts]) => [kind, parts.map(foldText)]),
) as typeof words

/** Where a clipping is: from one position, or page, to another. */
interface Place {
  from: number
  to: number
}

interface Clipping extends Place {
  quote: ImportedQuote
  /** Whether a later clipping has taken its place. */
  isReplaced: boolean
}

interface ClippedBook {
  title: string
  authors: string[]
  clippings: Clipping[]
  notes: (Place & { text: string })[]
}

/**
 * Reads a Kindle's `My Clippings.txt`. A Kindle only ever adds to this file: of a passage that was
 * marked anew, the last is kept, and a note belongs to the passage where it ends.
 */
export async function readMyClippings({ path, start }: TextFile): Promise<ParsedRow[]> {
  const books = new MarkedBooks<ClippedBook>()
  let lines: string[] = []
  for await (const line of createInterface({ input: createReadStream(path, { start }) })) {
    if (line.trim() === divider) {
      addClipping(books, lines)
      lines = []
    } else lines.push(withoutZeros(line))
  }
  addClipping(books, lines)
  return books.all.map(({ clippings, notes, ...book }) => {
    const kept = clippings.filter(({ isReplaced }) => !isReplaced)
    return rowOfMarked({ ...book, quotes: withNotes(kept, notes) })
  })
}

function addClipping(books: MarkedBooks<ClippedBook>, lines: readonly string[]): void {
  const [name = '', about = '', ...rest] = lines
  const text = rest.join('\n').trim()
  const title = collapseSpaces(name.replaceAll('\uFEFF', ''))
  if (!title || !text) return
  const parts = about.split('|')
  const added = parts.length > 1 ? parts.pop()! : ''
  const where = parts.join(' ')
  const kind = foldText(where)
  const is = (which: keyof typeof words) => folded[which].some((part) => kind.includes(part))
  if (is('bookmark')) return
  const { page, ...place } = placeOf(where, is('page'))
  const book = books.next({ ...splitTitle(title), clippings: [], notes: [] })
  if (is('note')) book.notes.push({ ...place, text })
  // Where a publisher allows no more clippings, a sentence in angle brackets stands in their place.
  else if (!/^<[^<>]+>$/.test(text)) {
    const quote = quoteWith({ text, page, at: dayOf(added) })
    addPassage(book.clippings, { ...place, quote, isReplaced: false })
  }
}

/** @returns the title and the authors, which stand in the last brackets */
function splitTitle(line: string): { title: string; authors: string[] } {
  let depth = 0
  for (let at = line.length - 1; at > 0 && line.endsWith(')'); at--) {
    if (line[at] === ')') depth++
    else if (line[at] === '(' && --depth === 0)
      return { title: line.slice(0, at).trim(), authors: splitPeople(line.slice(at + 1, -1)) }
  }
  return { title: line, authors: [] }
}

/** Reads "page 12 | location 170-172" in any language; old Kindles write 170-72. */
function placeOf(where: string, hasPage: boolean): Place & { page: number } {
  const ranges = Array.from(
    westernDigits(where).matchAll(/(\d{1,9})(?: ?[-–] ?(\d{1,9}))?/g),
    ([, first = '', last = first]): Place => {
      const from = Number(first)
      const whole = first.slice(0, Math.max(0, first.length - last.length)) + last
      return { from, to: Math.max(from, Number(whole)) }
    },
  )
  const place = ranges.at(-1) ?? { from: 0, to: 0 }
  return { ...place, page: hasPage ? Math.min(ranges[0]?.from ?? 0, 100_000) : 0 }
}

/** @returns the day of a clipping, as the Kindle's own clock had it; '' if it can't be read */
function dayOf(added: string): string {
  const text = westernDigits(added.normalize('NFKC')).slice(0, 200)
  const [, ...parts] = /(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2})/.exec(text) ?? []
  const day = text.replace(/\d{1,2}:\d\d(?::\d\d)?/, ' ').replace(/^[^:]*:/, ' ')
  const { date } = readDate(parts.length ? parts.join('-') : day)
  return date.length === 10 ? date : ''
}

/** Clippings before this one that may be the same passage, to compare it with. */
const comparedAtMost = 50

/** Adds a passage; those at its place of which it has more or less of the text are replaced. */
function addPassage(clippings: Clipping[], added: Clipping): void {
  const text = quoteKey(added.quote.text)
  for (const other of clippings.slice(-comparedAtMost)) {
    if (other.isReplaced || other.from > added.to || other.to < added.from) continue
    const before = quoteKey(other.quote.text)
    if (!text.includes(before) && !before.includes(text)) continue
    other.isReplaced = true
    const { earlier = [] } = other.quote
    const texts = text === before ? earlier : [...earlier, other.quote.text]
    if (texts.length) added.quote = { ...added.quote, earlier: texts.slice(-earlierAtMost) }
  }
  clippings.push(added)
}

/** Earlier texts of a passage to keep. */
const earlierAtMost = 5

/** Gives each note to the passage that ends where it is, or else to the last one around it. */
function withNotes(clippings: readonly Clipping[], notes: ClippedBook['notes']): ImportedQuote[] {
  const at = new Map<number, Clipping>()
  for (const clipping of clippings)
    for (
      let place = clipping.from;
      place <= clipping.to && place < clipping.from + spanAtMost;
      place++
    )
      if (place === clipping.to || at.get(place)?.to !== place) at.set(place, clipping)
  const noted = new Map<Clipping, string>()
  const others: ImportedQuote[] = []
  for (const { from, text } of notes) {
    const clipping = from > 0 ? at.get(from) : undefined
    // A note that was changed comes again.
    if (clipping) noted.set(clipping, text)
    else others.push(quoteWith({ note: text }))
  }
  const quotes = clippings.map((one) => ({ ...one.quote, note: noted.get(one) ?? '' }))
  return [...quotes, ...others]
}

/** Positions of a passage at which a note is found; a page has some twenty. */
const spanAtMost = 200
