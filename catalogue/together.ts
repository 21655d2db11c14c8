/** Another book that readers have, and how many readers have both. */
export interface Neighbour {
  isbn13: string
  readers: number
}

/** Fewer readers in common are chance, and would tell of single people. */
const leastReaders = 2
const mostNeighbours = 24
/** Who has more books than these says little by any two of them. */
const mostOfReader = 1000
/** Milliseconds of work between two pauses. */
const slice = 5

/**
 * What readers shelve together: for each book the nearest by the cosine of their readers.
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
  const common = new Float64Array(isbns.length)
  let until = performance.now() + slice
  for (const [id, isbn] of isbns.entries()) {
    const near = nearest(id, owners, owned, common)
    if (near.length > 0)
      together.set(
        isbn,
        near.map(({ other, readers }) => ({ isbn13: isbns[other] ?? '', readers })),
      )
    if (performance.now() < until) continue
    await pause()
    until = performance.now() + slice
  }
  return together
}

/** @param common all zero, and left so */
function nearest(id: number, owners: number[][], owned: number[][], common: Float64Array) {
  const touched: number[] = []
  for (const reader of owners[id] ?? [])
    for (const other of owned[reader] ?? []) {
      if (common[other] === 0) touched.push(other)
      common[other]! += 1
    }
  const own = owners[id]?.length ?? 0
  const near = touched.flatMap((other) => {
    const readers = common[other] ?? 0
    common[other] = 0
    if (other === id || readers < leastReaders) return []
    return [{ other, readers, cosine: readers / Math.sqrt(own * (owners[other]?.length ?? 1)) }]
  })
  return near
    .sort((a, b) => b.cosine - a.cosine || b.readers - a.readers || a.other - b.other)
    .slice(0, mostNeighbours)
}
