import type { CatalogueEdition, CatalogueWork } from '../../index/work.ts'
import { foldTitle } from '../../text/fold.ts'
import { mostReadBooks, type MostReadBook } from './books.ts'

/** Titles that a starter book has among its own because it contains them. */
const parts = new Set(['Antigone', 'Oedipus Rex', 'Palace Walk', 'White Nights'])

/**
 * Completes the given works with what is known of the most read books, and adds the others.
 *
 * @param works the starter works in order; a book among them gets further ISBNs and titles
 * @returns them, then the most read books that aren't among them
 */
export function withMostRead(works: CatalogueWork[]): CatalogueWork[] {
  const keys = new Set(works.flatMap(({ editions }) => editions.map(({ id }) => id)))
  const byName = new Map<string, CatalogueWork[]>()
  for (const work of works)
    for (const title of [work.title, ...work.other_titles]) {
      const name = foldTitle(title)
      byName.set(name, [...(byName.get(name) ?? []), work])
    }
  const others: CatalogueWork[] = []
  for (const book of mostReadBooks()) {
    const work = workOf(book)
    const same = namesOf(book)
      .flatMap((name) => byName.get(name) ?? [])
      .find((known) => sharesAuthor(known, book))
    const editions = work.editions.filter(({ id }) => !keys.has(id))
    for (const { id } of editions) keys.add(id)
    if (same) {
      // Its year is the work's, and this edition isn't that old.
      same.editions.push(...editions.map((edition) => ({ ...edition, published_date: '' })))
      same.series ??= work.series ?? []
      same.other_titles = [...new Set([...same.other_titles, work.title, ...work.other_titles])]
    } else if (editions.length > 0) others.push(work)
  }
  return [...works, ...others]
}

function workOf(book: MostReadBook): CatalogueWork {
  const { title, original, authors, series } = book
  const edition = {
    ids: {},
    image_links: [],
    page_count: book.pages,
    published_date: book.year,
    publisher: '',
    language: book.language,
    title,
  }
  const [first, ...rest] = book.isbns.map((isbn13): CatalogueEdition => ({
    ...edition,
    id: `st${isbn13}`,
    isbn13,
  }))
  return {
    title,
    other_titles: [
      ...(original ? [original] : []),
      ...series.flatMap(({ name, position }) => [
        name,
        ...(position ? [`${name} ${position}`] : []),
      ]),
    ],
    authors,
    genres: [],
    description: '',
    series,
    // About as many as Open Library counts of a book.
    readers: Math.round(book.ratings / 100),
    editions: first ? [first, ...rest] : [{ ...edition, id: `gb${book.id}` }],
  }
}

/** The names under which a starter book may be known: its title, and its volume of a series. */
function namesOf({ title, series }: MostReadBook): string[] {
  if (parts.has(title)) return []
  return [title, ...series.map(({ name, position }) => `${name} ${position}`)].map(foldTitle)
}

/** Whether they share an author, by full name or by surname (Leo and Lev Tolstoy). */
function sharesAuthor(work: CatalogueWork, { authors }: MostReadBook): boolean {
  const names = (list: string[]) => list.map(foldTitle).flatMap((name) => [name, surname(name)])
  const known = new Set(names([...work.authors, ...(work.author_names ?? [])]))
  return names(authors).some((name) => known.has(name))
}

const surname = (folded: string) => folded.slice(folded.lastIndexOf(' ') + 1)
