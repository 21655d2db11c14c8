import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { useEffect } from 'react'
import type {
  ImportCandidate,
  ImportOptions,
  ImportReason,
  ImportRecord,
  ImportRow,
  ImportRowState,
} from '#shared/import.ts'
import { coverThemeFor } from '#shared/cover-theme.ts'
import type { Status } from '#shared/user-book.ts'
import { useApi } from './context.ts'
import { listen } from './event-stream.ts'
import { liveFetch, liveQuery } from './live-fetch.ts'
import { keys } from './query-keys.ts'

/** Rows that a list shows, and that one request settles. */
export const rowsPerPage = 50

/** A reader's imports, the newest first. */
export function importsQuery(api: PocketBase, user: string) {
  return queryOptions({
    queryKey: keys.importsOf(user),
    queryFn: async () => {
      const filter = api.filter('user = {:user}', { user })
      const page = await api
        .collection('imports')
        .getList<ImportRecord>(1, 50, { filter, sort: '-created', skipTotal: true })
      return page.items
    },
    ...liveQuery,
  })
}

export function importQuery(api: PocketBase, id: string) {
  return queryOptions({
    queryKey: keys.import(id),
    queryFn: () => api.collection('imports').getOne<ImportRecord>(id),
    ...liveQuery,
  })
}

/** Rows in one state, or with one warning. */
export type RowChoice = { state: ImportRowState } | { warning: ImportReason['key'] }

/** Some rows of an import; pages are counted from 1. */
export function importRowsQuery(api: PocketBase, id: string, choice: RowChoice, page = 1) {
  const [name, test] =
    'state' in choice
      ? [choice.state, api.filter('state = {:state}', choice)]
      : [choice.warning, api.filter('warnings ~ {:key}', { key: `"key":"${choice.warning}"` })]
  return queryOptions({
    queryKey: keys.importRows(id, name, page),
    queryFn: async () => {
      const filter = `${api.filter('import = {:id}', { id })} && ${test}`
      const found = await api
        .collection('import_rows')
        .getList<ImportRow>(page, rowsPerPage, { filter, sort: 'number', skipTotal: true })
      return found.items
    },
    staleTime: 0,
    refetchOnMount: 'always',
  })
}

/** A book that an import has added or completed. */
export interface ImportedSpine {
  /** Id of its row. */
  number: number
  title: string
  authors: string[]
  /** Colour of its spine. */
  colour: string
  pages: number
  status: Status
  /** When it was last finished, or else when it was added; '' if neither is known. */
  year: string
}

/** Rows of a request. */
const spinesAtOnce = 500
/** Milliseconds between two fetches while an import is applied. */
const lookEvery = 3000

/**
 * All books that an import has added so far. Only those that came since are fetched again, unless
 * rows in between were decided later.
 */
export function importedSpinesQuery(api: PocketBase, { id, applied, state }: ImportRecord) {
  const queryKey = keys.importWall(id)
  const isDone = state === 'done'
  return queryOptions({
    queryKey,
    queryFn: async ({ client }) => {
      const known = client.getQueryData<ImportedSpine[]>(queryKey) ?? []
      const spines = await withLaterSpines(api, id, known)
      return isDone && spines.length < applied ? withLaterSpines(api, id, []) : spines
    },
    staleTime: 0,
    refetchOnMount: 'always',
    refetchInterval: isDone ? false : lookEvery,
  })
}

async function withLaterSpines(
  api: PocketBase,
  id: string,
  known: readonly ImportedSpine[],
): Promise<ImportedSpine[]> {
  const spines = [...known]
  for (;;) {
    const filter = api.filter('import = {:id} && state = "applied" && number > {:after}', {
      id,
      after: spines.at(-1)?.number ?? 0,
    })
    const { items } = await api
      .collection('import_rows')
      .getList<Pick<ImportRow, 'number' | 'read' | 'book'>>(1, spinesAtOnce, {
        filter,
        sort: 'number',
        skipTotal: true,
        fields: spineFields,
      })
    spines.push(...items.map(spineOf))
    if (items.length < spinesAtOnce) return spines
  }
}

const spineFields =
  'number,read.title,read.authors,read.pages,read.status,read.added,read.readings,' +
  'book.title,book.authors,book.page_count'

function spineOf(row: Pick<ImportRow, 'number' | 'read' | 'book'>): ImportedSpine {
  const { number, read, book } = row
  const finished = read?.readings?.findLast((one) => one.finished)?.finished
  const title = book?.title || (read?.title ?? '')
  const authors = book?.authors?.length ? book.authors : (read?.authors ?? [])
  return {
    number,
    title,
    authors,
    colour: coverThemeFor(title, authors[0] ?? '').ground,
    pages: read?.pages || (book?.page_count ?? 0),
    status: read?.status || 'planning',
    year: (finished || read?.added || '').slice(0, 4),
  }
}

/** Sends a file; the server begins to read it. */
export function createImport(api: PocketBase, file: File): Promise<ImportRecord> {
  return api.collection('imports').create<ImportRecord>({ file }, { requestKey: null })
}

export function updateImport(
  api: PocketBase,
  id: string,
  values: { state?: ImportRecord['state']; options?: ImportOptions },
): Promise<ImportRecord> {
  return api.collection('imports').update<ImportRecord>(id, values, { requestKey: null })
}

/** Forgets an import and its file; its books stay. */
export function deleteImport(api: PocketBase, id: string): Promise<boolean> {
  return api.collection('imports').delete(id)
}

/** The choice for a row: a book, or nothing. */
export type RowResolution = { state: 'matched'; book: ImportCandidate } | { state: 'skipped' }

/** Settles rows together, all of them or none. */
export async function resolveRows(
  api: PocketBase,
  rows: readonly { id: string; as: RowResolution }[],
): Promise<void> {
  const batch = api.createBatch()
  for (const { id, as } of rows) batch.collection('import_rows').update(id, as)
  await batch.send({ requestKey: null })
}

/**
 * Shows an import as an event has it.
 *
 * @returns the keys of what must be fetched all the same: rows, and what was on its way and may be
 *   older than the event
 */
export function applyImportEvent(
  queries: QueryClient,
  action: string,
  record: ImportRecord,
): (readonly unknown[])[] {
  const { id, user } = record
  const newer = (known: ImportRecord) => (known.updated > record.updated ? known : record)
  const stale: (readonly unknown[])[] = []
  if (queries.isFetching({ queryKey: keys.importsOf(user) }) > 0) stale.push(keys.imports)
  queries.setQueryData<ImportRecord[]>(keys.importsOf(user), (list) => {
    if (action === 'delete') return list?.filter((one) => one.id !== id)
    if (list?.every((one) => one.id !== id)) return [record, ...list]
    return list?.map((one) => (one.id === id ? newer(one) : one))
  })
  const isOnItsWay = queries.isFetching({ queryKey: keys.import(id), exact: true }) > 0
  if (action === 'delete' || isOnItsWay) return [...stale, keys.import(id)]
  queries.setQueryData<ImportRecord>(keys.import(id), (known) => known && newer(known))
  return [...stale, keys.rowsOfImport(id)]
}

/** Keeps what is shown of a reader's imports live. */
export function useLiveImports(user: string): void {
  const api = useApi()
  const queries = useQueryClient()
  useEffect(() => {
    if (!user) return
    const filter = api.filter('user = {:user}', { user })
    const stale = new Set<readonly unknown[]>()
    const { run, finish } = liveFetch(queries, async () => {
      const all = [...stale]
      stale.clear()
      await Promise.all(all.map((queryKey) => queries.invalidateQueries({ queryKey })))
    })
    const fetchAgain = (those: (readonly unknown[])[]) => {
      for (const one of those) stale.add(one)
      run()
    }
    const subscribe = () => [
      api
        .collection('imports')
        .subscribe<ImportRecord>(
          '*',
          ({ action, record }) => fetchAgain(applyImportEvent(queries, action, record)),
          { filter },
        ),
    ]
    const fetchAll = () => fetchAgain([keys.imports, keys.anyImport])
    const endListening = listen(subscribe, fetchAll, fetchAll)
    return () => {
      finish()
      endListening()
    }
  }, [api, queries, user])
}
