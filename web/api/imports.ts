import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { useEffect } from 'react'
import type {
  ImportCandidate,
  ImportOptions,
  ImportRecord,
  ImportRow,
  ImportRowState,
} from '#shared/import.ts'
import { useApi } from './context.ts'
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
    staleTime: 0,
    refetchOnMount: 'always',
  })
}

export function importQuery(api: PocketBase, id: string) {
  return queryOptions({
    queryKey: keys.import(id),
    queryFn: () => api.collection('imports').getOne<ImportRecord>(id),
    staleTime: 0,
    refetchOnMount: 'always',
  })
}

/** Some rows of an import in one state; pages are counted from 1. */
export function importRowsQuery(api: PocketBase, id: string, state: ImportRowState, page = 1) {
  return queryOptions({
    queryKey: keys.importRows(id, state, page),
    queryFn: async () => {
      const filter = api.filter('import = {:id} && state = {:state}', { id, state })
      const found = await api
        .collection('import_rows')
        .getList<ImportRow>(page, rowsPerPage, { filter, sort: 'number', skipTotal: true })
      return found.items
    },
    staleTime: 0,
    refetchOnMount: 'always',
  })
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

/** Keeps what is shown of a reader's imports live. */
export function useLiveImports(user: string): void {
  const api = useApi()
  const queries = useQueryClient()
  useEffect(() => {
    if (!user) return
    const filter = api.filter('user = {:user}', { user })
    const refresh = () => {
      void queries.invalidateQueries({ queryKey: keys.imports })
      void queries.invalidateQueries({ queryKey: keys.anyImport })
    }
    const ends = [
      api.collection('imports').subscribe('*', refresh, { filter }),
      // Between the page's making and this connection something may have happened already.
      api.realtime.subscribe('PB_CONNECT', refresh),
    ].map((end) => end.catch(() => undefined))
    return () => {
      for (const end of ends) void end.then((unsubscribe) => unsubscribe?.()).catch(() => undefined)
    }
  }, [api, queries, user])
}
