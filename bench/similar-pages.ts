import {
  learnFrom,
  listLength,
  stableHash,
  type RankingQuality,
  type Libraries,
} from './similar-halves.ts'

/**
 * What a book's page shows, with half of the readers held back; each page counts alike. Asked is how
 * much of what the held back readers of the book have besides is shown, and how many of the 20 books
 * that belong to it the most by their libraries (Dunning's log-likelihood ratio G², a measure that is
 * not ours: how surely two books have more readers in common than chance would give them).
 */
export async function judgePages(
  libraries: ReadonlyMap<string, readonly string[]>,
): Promise<RankingQuality[]> {
  const half = (which: number) =>
    [...libraries].filter(([reader]) => stableHash(reader) % 2 === which).map(([, books]) => books)
  const { near, popular } = await learnFrom(half(0))
  const held = half(1)
  const readersOf = ownersIn(held)
  const besides = { name: 'a page: what its other readers have', fame: 0, near: 0, most: 0 }
  const belonging = { name: 'a page: the 20 that belong to it most', fame: 0, near: 0 }
  for (const [book, readers] of readersOf) {
    const { shares, common } = sharesOf(book, readers, held)
    const lists = {
      fame: popular
        .slice(0, listLength + 1)
        .filter((other) => other !== book)
        .slice(0, listLength),
      near: near(book)
        .slice(0, listLength)
        .map(({ isbn13 }) => isbn13),
      most: highest(shares),
    }
    for (const kind of ['fame', 'near', 'most'] as const)
      for (const other of lists[kind]) besides[kind] += (shares.get(other) ?? 0) / readers.length
    const most = highest(
      new Map(
        [...common].map(([other, both]) => [
          other,
          likelihoodRatio(both, readers.length, readersOf.get(other)?.length ?? 0, held.length),
        ]),
      ),
    )
    if (most.length === 0) continue
    for (const kind of ['fame', 'near'] as const)
      belonging[kind] += lists[kind].filter((other) => most.includes(other)).length / most.length
  }
  return [besides, belonging].map((judged) => ({
    ...judged,
    fame: judged.fame / readersOf.size,
    near: judged.near / readersOf.size,
    ...(judged === besides && { most: besides.most / readersOf.size }),
  }))
}

function ownersIn(libraries: Libraries): Map<string, number[]> {
  const owners = new Map<string, number[]>()
  for (const [reader, books] of libraries.entries())
    for (const book of books) owners.getOrInsertComputed(book, () => []).push(reader)
  return owners
}

/** Of each other book: the sum of its shares in the readers' other books, and its readers. */
function sharesOf(book: string, readers: readonly number[], libraries: Libraries) {
  const [shares, common] = [new Map<string, number>(), new Map<string, number>()]
  for (const reader of readers) {
    const books = libraries[reader] ?? []
    for (const other of books) {
      if (other === book) continue
      shares.set(other, (shares.get(other) ?? 0) + 1 / (books.length - 1))
      common.set(other, (common.get(other) ?? 0) + 1)
    }
  }
  return { shares, common }
}

/** The 20 books with the highest numbers above zero. */
const highest = (numbers: ReadonlyMap<string, number>): string[] =>
  [...numbers]
    .filter(([, number]) => number > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, listLength)
    .map(([book]) => book)

/** G² of two books by their readers; zero for two that have fewer in common than chance gives. */
function likelihoodRatio(both: number, one: number, other: number, all: number): number {
  if (both * all <= one * other) return 0
  const part = (count: number) => (count > 0 ? count * Math.log(count) : 0)
  const cells = part(both) + part(one - both) + part(other - both) + part(all - one - other + both)
  const edges = part(one) + part(all - one) + part(other) + part(all - other)
  return 2 * (cells - edges + part(all))
}
