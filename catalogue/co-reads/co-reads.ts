import { startThread } from '../start-thread.ts'
import type { CoReadCounts, ReaderCounts } from './count.ts'

/** Another book that readers have as well. */
export interface Neighbour {
  isbn13: string
  /** How much the one says of the other; the sum over a reader's books says what they may like. */
  closeness: number
}

export interface CoReads {
  /** How many readers have each book; the 200 000 that most have. */
  shelved: ReaderCounts
  /** @returns at most 24, the nearest first; each has two readers or more in common with the book */
  near: (isbn13: string) => Neighbour[]
}

/**
 * What readers shelve together, counted in a thread of its own: for each book the nearest by their
 * readers, as in the cosine, with weights of its own.
 *
 * @param libraries parts of all libraries; a library is the books of one reader by ISBN-13, none twice
 * @param signal ends the count, which then fails
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
  // It may fail while libraries are still being read; that is told below.
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

/** @returns the first place in an ascending list whose number is not smaller */
function placeOf(list: Float64Array, wanted: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
