import type { Entry } from 'yauzl'
import { hasTables, readTables, type DatabaseRow } from './database-rows.ts'
import { percentOf, quoteWith, rowOfMarked, timestampOf, type MarkedBook } from './highlights.ts'
import { splitPeople } from './people.ts'
import type { ParsedRow } from './row.ts'

/** Apple Books keeps what a reader has marked in one database, and in another the books it is from. */
export interface AppleBooks<T> {
  annotations: T
  library: T
}

const columns = {
  annotations: {
    ZAEANNOTATION: [
      ['ZANNOTATIONASSETID', 'ZANNOTATIONSELECTEDTEXT', 'ZANNOTATIONNOTE'],
      ['ZANNOTATIONCREATIONDATE', 'ZANNOTATIONDELETED'],
    ].flat(),
  },
  library: {
    ZBKLIBRARYASSET: [
      ['ZASSETID', 'ZTITLE', 'ZAUTHOR', 'ZISFINISHED', 'ZDATEFINISHED', 'ZREADINGPROGRESS'],
    ].flat(),
  },
}

/** @returns both databases among the files of an archive; null if they aren't there */
export function findAppleBooks(entries: readonly Entry[]): AppleBooks<Entry> | null {
  const named = (start: string) =>
    entries.find(({ fileName }) => {
      const name = fileName.split('/').at(-1)!
      return name.startsWith(start) && name.endsWith('.sqlite')
    })
  const [annotations, library] = [named('AEAnnotation'), named('BKLibrary')]
  return annotations && library ? { annotations, library } : null
}

/** @returns whether a database is one of Apple Books', which alone isn't enough */
export const isHalfOfAppleBooks = (path: string): boolean =>
  Object.values(columns).some((table) => hasTables<string>(path, table))

/**
 * Reads the books that were begun or marked in Apple Books.
 *
 * @throws ImportError for other databases
 */
export function readAppleBooks({ annotations, library }: AppleBooks<string>): ParsedRow[] {
  const marked = readTables(annotations, columns.annotations)
  const assets = readTables(library, columns.library)
  const books = new Map<string, MarkedBook>()
  for (const row of assets.ZBKLIBRARYASSET) books.set(row.text('ZASSETID'), bookIn(row))
  for (const row of marked.ZAEANNOTATION)
    if (!row.number('ZANNOTATIONDELETED'))
      books.get(row.text('ZANNOTATIONASSETID'))?.quotes.push(
        quoteWith({
          text: row.text('ZANNOTATIONSELECTEDTEXT'),
          note: row.text('ZANNOTATIONNOTE'),
          at: timestampOf(sinceItsEpoch(row.number('ZANNOTATIONCREATIONDATE'))),
        }),
      )
  return [...books.values()]
    .filter(({ status, quotes }) => status || quotes.some(({ text, note }) => text || note))
    .map(rowOfMarked)
}

/** Seconds since 2001. */
const sinceItsEpoch = (seconds: number) => (seconds ? Date.UTC(2001) + 1000 * seconds : Number.NaN)

function bookIn(row: DatabaseRow): MarkedBook {
  const isFinished = row.number('ZISFINISHED') === 1
  const finished = timestampOf(sinceItsEpoch(row.number('ZDATEFINISHED'))).slice(0, 10)
  const percent = percentOf(row.number('ZREADINGPROGRESS'), 1)
  return {
    title: row.text('ZTITLE').trim(),
    authors: splitPeople(row.text('ZAUTHOR')),
    status: isFinished ? 'completed' : percent ? 'reading' : '',
    percent: isFinished ? 0 : percent,
    readings: finished && isFinished ? [{ started: '', finished, outcome: 'finished' }] : [],
    source_id: row.text('ZASSETID'),
    quotes: [],
  }
}
