import { foldTitle } from '#catalogue/text/fold.ts'
import { seededRandom } from '#server/demo/demo.ts'
import { toIsbn13 } from '#shared/isbn.ts'

/** A question and the works that answer it, by the number of their key. */
export interface Query {
  cls: string
  q: string
  targets: number[]
}

/** A work the catalogue is known to hold. */
export interface KnownWork {
  id: number
  gid: string
  title: string
  full: string
  orig: string | null
  authors: string[]
  pop: number
  isbn10: string | null
}

/** Letters beside each other on a keyboard, where most slips come from. */
const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** Left out, doubled, hit beside, put in, swapped: a slip inside a word of at least four letters. */
export function slip(text: string, chance: () => number): string | null {
  const words = text.split(' ')
  const long = words.flatMap((word, i) => (/^[a-z]{4,}$/.test(word) ? [i] : []))
  const at = long[Math.floor(chance() * long.length)]
  if (at === undefined) return null
  const word = words[at] ?? ''
  const i = Math.floor(chance() * (word.length - 1))
  const [here = '', next = ''] = [word[i], word[i + 1]]
  const row = rows.find((each) => each.includes(here)) ?? ''
  const beside = row[row.indexOf(here) + (chance() < 0.5 ? 1 : -1)] ?? row[1] ?? here
  const wrong = [
    word.slice(0, i) + word.slice(i + 1),
    word.slice(0, i) + beside + word.slice(i + 1),
    word.slice(0, i) + beside + word.slice(i),
    word.slice(0, i) + next + here + word.slice(i + 2),
  ][Math.floor(chance() * 4)]
  words[at] = wrong ?? word
  const result = words.join(' ')
  return result === text ? null : result
}

/**
 * Questions as readers type them, for works nothing was tuned on: the classes of the queries that
 * come with the generated catalogue, made by other mutations.
 *
 * @param works what may be asked for
 * @param others every work, to know whose title or author is whose
 * @param without ids of works that are not asked for
 * @param count works to ask for
 */
export function generateQueries(
  works: readonly KnownWork[],
  without: ReadonlySet<number>,
  count: number,
): Query[] {
  const chance = seededRandom(20261121)
  const byTitle = Map.groupBy(works, (work) => foldTitle(work.title))
  const byAuthor = Map.groupBy(works, (work) => foldTitle(work.authors[0] ?? ''))
  const known = works.filter((work) => work.pop > 500 && !without.has(work.id) && work.authors[0])
  const chosen = known.filter(() => chance() < count / known.length)
  return chosen.flatMap((work) => {
    const title = foldTitle(work.title)
    const author = foldTitle(work.authors[0] ?? '')
    const surname = author.split(' ').at(-1) ?? ''
    const same = byTitle.get(title)?.map((each) => each.id) ?? [work.id]
    const own = [work.id]
    const all: Query[] = []
    const ask = (cls: string, q: string | null, targets: number[]) => {
      if (q !== null && q.length >= 3) all.push({ cls, q, targets })
    }
    const words = title.split(' ')
    ask('exact', work.title.toLowerCase(), same)
    ask('title+surname', `${title} ${surname}`, own)
    ask('title+author', `${work.title} ${work.authors[0]}`, own)
    ask('author+title', `${author} ${title}`, own)
    if (title.length >= 8) ask('prefix', title.slice(0, Math.ceil(title.length * 0.6)), same)
    if (title.length >= 6) ask('typo1', slip(title, chance), same)
    const once = slip(`${title} ${author}`, chance)
    ask('typo2', once && slip(once, chance), own)
    const wrong = slip(title, chance)
    ask('typo1+surname', wrong && `${wrong} ${surname}`, own)
    if (words.length > 1 && title.length < 30) ask('joined', words.join(''), same)
    const noise = [`${title} novel`, `${title} book`, `book ${title}`, `${title} by ${author}`]
    ask('noise', noise[Math.floor(chance() * 4)] ?? null, same)
    if (work.isbn10) {
      const isbn13 = toIsbn13(work.isbn10) ?? ''
      ask('isbn10', work.isbn10, own)
      ask('isbn13', isbn13, own)
      ask('isbn-hyphen', isbn13.replace(/^(...)(.)(...)(.....)(.)$/, '$1-$2-$3-$4-$5'), own)
    }
    ask('author', author, byAuthor.get(author)?.map((each) => each.id) ?? own)
    if (words.length >= 4) {
      const left = 1 + Math.floor(chance() * (words.length - 2))
      ask('partial', words.filter((_, i) => i !== left).join(' '), own)
    }
    if (/['’&:.-]/.test(work.title)) ask('punct', work.title.replaceAll(/['’&:.-]+/g, ' '), same)
    const series = /\(([^,#)]+),? #(\d+)\)/.exec(work.full)
    if (series) ask('series', `${foldTitle(series[1] ?? '')} ${series[2]}`, own)
    if (work.orig && foldTitle(work.orig) !== title) ask('alt-title', work.orig.toLowerCase(), own)
    return all
  })
}
