import { startThread } from '#threads/start-thread.ts'
import type { CoReadCounts, ReaderCounts } from './count.ts'

/** Another book that the same readers have. */
export interface Neighbour {
  isbn13: string
  /** How close the two books are; the sum over a reader's books predicts what they may like. */
  closeness: number
}

export interface CoReads {
  /** The number of readers of each of the 200,000 most popular books. */
  shelved: ReaderCounts
  /** @returns at most 24, nearest first, each with at least two common readers */
  near: (isbn13: string) => Neighbour[]
}

/**
 * Counts in its own thread which books readers shelve together: for each book the nearest others,
 * by a weighted cosine of their readers.
 *
 * @param libraries batches of libraries; a library is one reader's books by ISBN-13, without
 *   duplicates
 * @param signal aborts the count
 */
export async function countCoReads(
  libraries: AsyncIterable<readonly (readonly string[])[]>,
  signal?: AbortSignal,
): Promise<CoReads> {
  const worker = startThread(new URL('./worker.ts', import.meta.url))
  const counted = new Promise<CoReadCounts>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The count of books read together was stopped.')))
  })
  // It may fail while libraries are still being read; the error is thrown below.
  counted.catch(() => undefined)
  const end = () => void worker.terminate()
  signal?.addEventListener('abort', end)
  try {
    for await (const part of libraries) worker.postMessage(part)
    worker.postMessage('count')
    const found = await counted
    return { shelved: found.shelved, near: (isbn13) => neighboursOf(found, Number(isbn13)) }
  } finally {
    signal?.removeEventListener('abort', end)
    await worker.terminate()
  }
}

function neighboursOf(
  { isbns, starts, near, closeness }: CoReadCounts,
  isbn13: number,
): Neighbour[] {
  const place = placeOf(isbns, isbn13)
  if (isbns[place] !== isbn13) return []
  const [start, end] = [starts[place], starts[place + 1]]
  const close = closeness.subarray(start, end)
  return Array.from(near.subarray(start, end), (other, n) => ({
    isbn13: String(other),
    closeness: close[n] ?? 0,
  }))
}

/** @returns the first index in an ascending list with a number that isn't smaller */
function placeOf(list: Float64Array, wanted: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
