/** Fewer readers in common are chance, and would tell of single people. */
export const minReaders = 2
const maxNeighbours = 24
/** Who has more books than these says little by any two of them. */
const maxOfReader = 1000
/** Rows that are compared with each other, beyond which few readers count. */
const maxCompared = 500_000
/** Below these, a book's place among millions hardly changes. */
const maxRanked = 200_000

/**
 * Measured by `npm run bench -- similar` on real readers, chosen on other halves of them than those
 * it reports. A reader with many books counts less by each; two books that few have in common are
 * trusted less, as is what few have at all; and what many have anyway says less, though not as much
 * less as the plain cosine (0.5) has it.
 */
const weights = { reader: -0.5, trust: 1.8, few: 5, fame: -0.4 }

/** How many readers have each book: the n-th number belongs to the n-th ISBN-13. */
export interface ReaderCounts {
  isbns: Float64Array
  readers: Uint32Array
}

/** What a count found, in arrays that another thread takes over without copying. */
export interface CoReadCounts {
  /** The books that most readers have. */
  shelved: ReaderCounts
  /** Every book with neighbours, by ISBN-13, ascending. */
  isbns: Float64Array
  /** Where the neighbours of each book begin in the lists below, and behind the last where they end. */
  starts: Uint32Array
  /** ISBN-13 of the neighbours, nearest first, and how much the one book says of the other. */
  near: Float64Array
  closeness: Float32Array
}

/** Takes readers' libraries one after the other, then counts. */
export interface CoReadCounter {
  /** @param library ISBN-13 of the books of one reader, none twice */
  add(library: readonly string[]): void
  finish(): CoReadCounts
}

/** @returns a count of no libraries yet; beyond 500 000 rows it notes who is read, not what together */
export function coReadCounter(): CoReadCounter {
  const ids = new Map<number, number>()
  const isbns: number[] = []
  const readers: number[] = []
  const owned: number[] = []
  const ends = [0]
  return {
    add(library) {
      const books = library.map((isbn) => {
        const isbn13 = Number(isbn)
        const id = ids.get(isbn13) ?? isbns.push(isbn13) - 1
        ids.set(isbn13, id)
        readers[id] = (readers[id] ?? 0) + 1
        return id
      })
      if (books.length < 2 || owned.length >= maxCompared) return
      for (const id of books.slice(0, maxOfReader)) owned.push(id)
      ends.push(owned.length)
    },
    finish: () => ({
      shelved: mostReadFirst(isbns, readers),
      ...neighbours(
        isbns,
        readersOf(Uint32Array.from(owned), Uint32Array.from(ends), isbns.length),
      ),
    }),
  }
}

function mostReadFirst(isbns: readonly number[], readers: readonly number[]): ReaderCounts {
  const count = (id: number) => readers[id] ?? 0
  const isbn = (id: number) => isbns[id] ?? 0
  const ranked = [...isbns.keys()]
    .sort((a, b) => count(b) - count(a) || isbn(a) - isbn(b))
    .slice(0, maxRanked)
  return { isbns: Float64Array.from(ranked, isbn), readers: Uint32Array.from(ranked, count) }
}

/** Who has what, both ways: the n-th of a list begins at the n-th start, and ends at the next. */
interface Shelves {
  owned: Uint32Array
  ofReader: Uint32Array
  owners: Uint32Array
  ofBook: Uint32Array
}

function readersOf(owned: Uint32Array, ofReader: Uint32Array, books: number): Shelves {
  const ofBook = new Uint32Array(books + 1)
  for (const id of owned) ofBook[id + 1]! += 1
  for (let id = 0; id < books; id++) ofBook[id + 1]! += ofBook[id]!
  const next = ofBook.slice()
  const owners = new Uint32Array(owned.length)
  for (let reader = 0; reader + 1 < ofReader.length; reader++)
    for (let at = ofReader[reader]!; at < ofReader[reader + 1]!; at++)
      owners[next[owned[at]!]!++] = reader
  return { owned, ofReader, owners, ofBook }
}

function neighbours(isbns: readonly number[], shelves: Shelves): Omit<CoReadCounts, 'shelved'> {
  const ascending = [...isbns.keys()].sort((a, b) => isbns[a]! - isbns[b]!)
  const nearest = openNearest(shelves, isbns.length)
  const [found, starts, near, closeness]: [number[], number[], number[], number[]] = [
    [],
    [],
    [],
    [],
  ]
  for (const id of ascending) {
    const list = nearest(id)
    if (list.length === 0) continue
    found.push(isbns[id]!)
    starts.push(near.length)
    for (const one of list) {
      near.push(isbns[one.id]!)
      closeness.push(one.closeness)
    }
  }
  starts.push(near.length)
  return {
    isbns: Float64Array.from(found),
    starts: Uint32Array.from(starts),
    near: Float64Array.from(near),
    closeness: Float32Array.from(closeness),
  }
}

interface Near {
  id: number
  readers: number
  closeness: number
}

/** @returns what finds the books nearest to one, by their readers */
function openNearest({ owned, ofReader, owners, ofBook }: Shelves, books: number) {
  // Of the book at hand with each other: all zero between two books.
  const common = new Float64Array(books)
  const readers = new Uint32Array(books)
  const touched = new Uint32Array(books)
  const fame = Float64Array.from(
    { length: books },
    (_, id) => Math.max(1, ofBook[id + 1]! - ofBook[id]!) ** weights.fame,
  )
  const weightOf = Float64Array.from(
    { length: ofReader.length - 1 },
    (_, reader) => (ofReader[reader + 1]! - ofReader[reader]!) ** weights.reader,
  )
  const tally = (id: number): number => {
    let count = 0
    for (let at = ofBook[id]!; at < ofBook[id + 1]!; at++) {
      const reader = owners[at]!
      const weight = weightOf[reader]!
      for (let book = ofReader[reader]!; book < ofReader[reader + 1]!; book++) {
        const other = owned[book]!
        if (readers[other] === 0) touched[count++] = other
        readers[other]! += 1
        common[other]! += weight
      }
    }
    return count
  }
  return (id: number): Near[] => {
    const near: Near[] = []
    if (ofBook[id + 1]! - ofBook[id]! < minReaders) return near
    const count = tally(id)
    const own = 1 / (common[id]! + weights.few)
    for (let at = 0; at < count; at++) {
      const other = touched[at]!
      const shared = common[other]!
      const one = {
        id: other,
        readers: readers[other]!,
        closeness: ((shared * shared) / (shared + weights.trust)) * own * fame[other]!,
      }
      readers[other] = 0
      common[other] = 0
      if (other !== id && one.readers >= minReaders) keepNearest(near, one)
    }
    return near
  }
}

/** Puts one in its place; what comes behind the last place is dropped. */
function keepNearest(near: Near[], one: Near): void {
  let place = near.length
  while (place > 0 && isNearer(one, near[place - 1]!)) place--
  if (place === maxNeighbours) return
  near.splice(place, 0, one)
  if (near.length > maxNeighbours) near.pop()
}

const isNearer = (a: Near, b: Near): boolean =>
  (a.closeness - b.closeness || a.readers - b.readers || b.id - a.id) > 0
