import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type { Book } from '#shared/book.ts'
import { curatedQuery } from '#web/api/catalogue.ts'
import { sendSearch } from '#web/api/search.ts'
import { withCommas } from '#web/i18n/format.ts'
import { keys } from '#web/api/query-keys.ts'

/** How many curated books the landing page shows. */
const landingBooks = 15

/** The fields of a book that the landing page needs; more would make the page larger. */
export interface LandingBook {
  title: string
  author: string
  cover: string
  pages: number
  href: string
}

/** The books of the landing page. */
interface LandingBooks {
  /** The book to try, the same at each visit. */
  hero: LandingBook | undefined
  books: LandingBook[]
}

/** Another choice at each visit, made once, so that server and browser show the same. */
export function landingBooksQuery(api: PocketBase) {
  return queryOptions({
    queryKey: keys.landing,
    queryFn: async ({ client }): Promise<LandingBooks> => {
      const { classics, manga } = await client.query({
        ...curatedQuery(api),
        staleTime: 'static',
      })
      return {
        hero: classics.slice(0, 1).map(landingBook)[0],
        books: choose([...classics, ...manga], landingBooks).map(landingBook),
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Misspelt, as it is typed in a hurry. */
export const exampleSearch = 'frankenstien mary sheley'

/** The catalogue's result for {@link exampleSearch}; null if there is none. */
export function foundQuery(api: PocketBase) {
  return queryOptions({
    queryKey: keys.landingSearch,
    queryFn: async ({ signal }) => {
      const form = { q: exampleSearch, answers: 'known' as const }
      const [book] = (await sendSearch(api, form, signal)).books
      return book ? landingBook(book) : null
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/**
 * Books in random order, each first author once, so that a long series does not fill the wall. When
 * that gives too few, the others follow.
 *
 * @param random as `Math.random`
 */
export function choose(books: readonly Book[], count: number, random = Math.random): Book[] {
  const shuffled = books
    .map((book) => ({ book, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ book }) => book)
  const seen = new Set<string>()
  const first = shuffled.filter(({ authors: [author = ''] }) => {
    const isNew = !seen.has(author)
    seen.add(author)
    return isNew
  })
  return [...new Set([...first, ...shuffled])].slice(0, count)
}

function landingBook({ title, authors, image_links, page_count, slug }: Book): LandingBook {
  return {
    title,
    author: withCommas(authors),
    cover: image_links[0] ?? '',
    pages: page_count,
    href: `/book/${slug}`,
  }
}
