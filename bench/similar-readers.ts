import { learnFrom, listLength, stableHash, type RankingQuality } from './similar-halves.ts'

/**
 * What readers have besides, by half of their books: every second book of each is held back, the
 * neighbours of the others are added up. Counted twice: each reader alike, which rewards lists of
 * what everybody has; and each book alike (popularity-stratified recall), which asks whether its
 * readers would have been shown a book, however many they are.
 */
export async function judgeReaders(
  libraries: ReadonlyMap<string, readonly string[]>,
): Promise<RankingQuality[]> {
  const halves = [...libraries].map(([reader, all]) => {
    const books = all.toSorted((a, b) => stableHash(reader + a) - stableHash(reader + b))
    return {
      known: books.filter((_, n) => n % 2 === 0),
      held: new Set(books.filter((_, n) => n % 2 === 1)),
    }
  })
  const { near, popular } = await learnFrom(halves.map(({ known }) => known))
  const [byFame, byReaders] = [openTally(), openTally()]
  for (const { known, held } of halves) {
    const own = new Set(known)
    const scores = new Map<string, number>()
    for (const book of known)
      for (const { isbn13, closeness } of near(book))
        if (!own.has(isbn13)) scores.set(isbn13, (scores.get(isbn13) ?? 0) + closeness)
    const nearest = [...scores].sort((a, b) => b[1] - a[1]).map(([book]) => book)
    byFame.add(held, firstBesides(popular, own))
    byReaders.add(held, nearest.slice(0, listLength))
  }
  const [fame, together] = [byFame.shares(), byReaders.shares()]
  return [
    { name: 'half of each reader’s books', fame: fame.readers, near: together.readers },
    { name: 'the same, each book alike', fame: fame.books, near: together.books },
  ]
}

function firstBesides(popular: readonly string[], own: ReadonlySet<string>): string[] {
  return popular
    .slice(0, listLength + own.size)
    .filter((book) => !own.has(book))
    .slice(0, listLength)
}

function openTally() {
  const [found, wanted] = [new Map<string, number>(), new Map<string, number>()]
  let [recall, readers] = [0, 0]
  const count = (books: Map<string, number>, book: string) =>
    books.set(book, (books.get(book) ?? 0) + 1)
  return {
    add(held: ReadonlySet<string>, list: readonly string[]) {
      const hits = list.filter((book) => held.has(book))
      for (const book of held) count(wanted, book)
      for (const book of hits) count(found, book)
      recall += hits.length / held.size
      readers += 1
    },
    shares() {
      let sum = 0
      for (const [book, times] of wanted) sum += (found.get(book) ?? 0) / times
      return { readers: recall / readers, books: sum / wanted.size }
    },
  }
}
