/** Fewer common readers would be chance, and could reveal a single person's books. */
export const minReaders = 2
const maxNeighbours = 24
/** Readers with more books than this say little about any two of them. */
const maxOfReader = 1000
/** The most rows that are compared. */
const maxCompared = 500_000
/** Beyond this rank, popularity hardly matters. */
const maxRanked = 200_000

/**
 * Tuned with `npm run bench -- similar` on real readers, on a different half from the reported one.
 * `reader`: the more books a reader has, the less each counts. `trust` and `few`: pairs and books
 * with few readers count less. `fame`: popular books count less, but not as much less as with a
 * plain cosine (0.5).
 */
const weights = { reader: -0.5, trust: 1.8, few: 5, fame: -0.4 }

/** The number of readers of each book, in parallel arrays. */
export interface ReaderCounts {
  isbns: Float64Array
  readers: Uint32Array
}

/** The result of a count, in arrays that are transferred between threads without copying. */
export interface CoReadCounts {
  /** The most popular books. */
  shelved: ReaderCounts
  /** The ISBN-13s of books with neighbours, ascending. */
  isbns: Float64Array
  /** The start of each book's neighbours in the arrays below, and one end. */
  starts: Uint32Array
  /** The ISBN-13s of the neighbours, nearest first, and their closeness. */
  near: Float64Array
  closeness: Float32Array
}

/** Collects readers' libraries, then counts. */
export interface CoReadCounter {
  /** @param library ISBN-13s of one reader's books, without duplicates */
  add(library: readonly string[]): void
  finish(): CoReadCounts
}

/** @returns an empty counter; beyond 500,000 rows it counts readers, but no pairs */
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

/** Books by reader and readers by book: entry n of a list goes from start n to the next. */
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

/** @returns a function that finds the books nearest to one by common readers */
function openNearest({ owned, ofReader, owners, ofBook }: Shelves, books: number) {
  // The current book's overlap with each other book; reset to zero after each.
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

/** Inserts an entry in order and drops the one beyond the limit. */
function keepNearest(near: Near[], one: Near): void {
  let place = near.length
  while (place > 0 && isNearer(one, near[place - 1]!)) place--
  if (place === maxNeighbours) return
  near.splice(place, 0, one)
  if (near.length > maxNeighbours) near.pop()
}

const isNearer = (a: Near, b: Near): boolean =>
  (a.closeness - b.closeness || a.readers - b.readers || b.id - a.id) > 0
