/** Another book that readers have, and how many readers have both. */
export interface Neighbour {
  isbn13: string
  readers: number
  /** How much the one says of the other; the sum over a reader's books says what they may like. */
  closeness: number
}

/** Fewer readers in common are chance, and would tell of single people. */
export const leastReaders = 2
const mostNeighbours = 24
/** Who has more books than these says little by any two of them. */
const mostOfReader = 1000

/**
 * Measured by `npm run bench -- similar` on real readers. A reader with many books counts a little
 * less by each; two books that few have in common are trusted less, and what many have anyway says
 * less, though not as much less as the plain cosine (both exponents 0.5) has it.
 */
const weights = { reader: -0.25, trust: 3, own: -0.8, other: -0.4 }
/** Milliseconds of work between two pauses. */
const slice = 5

/**
 * What readers shelve together: for each book the nearest by their readers, as in the cosine, with
 * weights of its own.
 *
 * @param libraries the books of each reader by ISBN-13, none twice
 * @param pause called between slices of work, so that others get their turn
 * @returns for each book at most 24, the nearest first
 */
export async function shelvedTogether(
  libraries: Iterable<readonly string[]>,
  pause: () => Promise<void>,
): Promise<Map<string, Neighbour[]>> {
  const ids = new Map<string, number>()
  const isbns: string[] = []
  const owners: number[][] = []
  const owned: number[][] = []
  for (const library of libraries) {
    const books = library.slice(0, mostOfReader).map((isbn) => {
      const id = ids.get(isbn) ?? isbns.push(isbn) - 1
      ids.set(isbn, id)
      return id
    })
    for (const id of books) (owners[id] ??= []).push(owned.length)
    owned.push(books)
  }
  const together = new Map<string, Neighbour[]>()
  const tally = { common: new Float64Array(isbns.length), readers: new Uint32Array(isbns.length) }
  let until = performance.now() + slice
  for (const [id, isbn] of isbns.entries()) {
    const near = nearest(id, owners, owned, tally)
    if (near.length > 0)
      together.set(
        isbn,
        near.map(({ other, ...how }) => ({ isbn13: isbns[other] ?? '', ...how })),
      )
    if (performance.now() < until) continue
    await pause()
    until = performance.now() + slice
  }
  return together
}

/** @param tally all zero, and left so */
function nearest(
  id: number,
  owners: number[][],
  owned: number[][],
  { common, readers }: { common: Float64Array; readers: Uint32Array },
) {
  const touched: number[] = []
  for (const reader of owners[id] ?? []) {
    const books = owned[reader] ?? []
    const weight = books.length ** weights.reader
    for (const other of books) {
      if (readers[other] === 0) touched.push(other)
      readers[other]! += 1
      common[other]! += weight
    }
  }
  const own = (owners[id]?.length ?? 1) ** weights.own
  const near = touched.flatMap((other) => {
    const found = { other, readers: readers[other] ?? 0 }
    const shared = common[other] ?? 0
    readers[other] = 0
    common[other] = 0
    if (other === id || found.readers < leastReaders) return []
    const trusted = shared * (shared / (shared + weights.trust))
    const fame = (owners[other]?.length ?? 1) ** weights.other
    return [{ ...found, closeness: trusted * own * fame }]
  })
  return near
    .sort((a, b) => b.closeness - a.closeness || b.readers - a.readers || a.other - b.other)
    .slice(0, mostNeighbours)
}
