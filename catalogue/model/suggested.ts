import { foldTitle, foldWords } from '#catalogue/text/fold.ts'
import { titleKeys } from '#catalogue/text/words.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Book, BookMatch } from '#shared/book.ts'
import { searchForm } from '#shared/search-form.ts'
import type { ModelAnswer } from './model.ts'

/** Reciprocal rank fusion: the higher, the smaller the advantage of the first places. */
const rankConstant = 60
const maxBooks = 36

export interface Suggested {
  books: Book[]
  matches: Record<string, BookMatch>
  /** Ids of the books that the model named. */
  named: string[]
}

/**
 * Looks up a model's answer to a description. Books that aren't in the catalogue are dropped, so
 * none is invented. The lists are fused by rank with the results of the word search.
 */
export async function suggestedBooks(
  catalogue: Pick<Catalogue, 'search'>,
  text: string,
  answer: ModelAnswer,
): Promise<Suggested> {
  const ask = (form: Record<string, string>) => {
    const parsed = searchForm.safeParse(form)
    return parsed.success ? catalogue.search(parsed.data) : { books: [] }
  }
  const subjects = answer.subjects.join(' ').slice(0, 250)
  const [own, bySubject, byTitle, byAuthor] = await Promise.all([
    ask({ q: text, mode: 'describe' }),
    ask({ q: subjects, mode: 'describe' }),
    Promise.all(
      answer.titles.map(async (wanted) => {
        const { books } = await ask({ title: wanted.title, mode: 'words' })
        return books.find((book) => isMeant(book, wanted))
      }),
    ),
    Promise.all(answer.authors.map(async (author) => (await ask({ author })).books.slice(0, 5))),
  ])
  const named = byTitle.filter((book) => book !== undefined)
  const fused = fuse([named, own.books, bySubject.books, byAuthor.flat()])
  const matches = {
    ...('matches' in bySubject ? bySubject.matches : {}),
    ...('matches' in own ? own.matches : {}),
  }
  const books = fused.filter((book) => mayBe(book, answer)).slice(0, maxBooks)
  return { books, matches, named: named.map((book) => book.id) }
}

function isMeant(book: Book, wanted: ModelAnswer['titles'][number]): boolean {
  const keys = titleKeys(foldTitle(wanted.title))
  const isTitled = titleKeys(foldTitle(book.title)).some((key) =>
    keys.some((other) => key === other || key.startsWith(other) || other.startsWith(key)),
  )
  const surname = foldWords(wanted.author).at(-1)
  const names = foldWords(book.authors.join(' '))
  return isTitled && (surname === undefined || names.includes(surname))
}

/** An edition is never older than its work, but it may be much younger. */
function mayBe(book: Book, { language, yearFrom }: ModelAnswer): boolean {
  const year = Number.parseInt(book.published_date, 10)
  if (yearFrom !== null && year < yearFrom) return false
  return language === '' || book.language === '' || book.language === language
}

function fuse(lists: readonly Book[][]): Book[] {
  const scores = new Map<string, { book: Book; score: number }>()
  for (const list of lists)
    for (const [place, book] of list.entries()) {
      const score = (scores.get(book.id)?.score ?? 0) + 1 / (rankConstant + place)
      scores.set(book.id, { book, score })
    }
  return [...scores.values()].sort((a, b) => b.score - a.score).map(({ book }) => book)
}
