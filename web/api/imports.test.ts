import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ImportRecord } from '#shared/import.ts'
import { applyImportEvent } from './imports.ts'
import { keys } from './query-keys.ts'

const reading = { id: 'i1', user: 'ann', state: 'reading', total: 0, updated: '1' } as ImportRecord
const failed: ImportRecord = { ...reading, state: 'failed', updated: '2' }

test('an event shows an import without another request', () => {
  const queries = new QueryClient()
  queries.setQueryData(keys.import('i1'), reading)
  queries.setQueryData(keys.importsOf('ann'), [reading])
  expect(applyImportEvent(queries, 'update', failed)).toEqual([keys.rowsOfImport('i1')])
  expect(queries.getQueryData(keys.import('i1'))).toEqual(failed)
  expect(queries.getQueryData(keys.importsOf('ann'))).toEqual([failed])
  applyImportEvent(queries, 'update', reading)
  expect(queries.getQueryData(keys.import('i1'))).toEqual(failed)
})

test('an import that is on its way may be older than the event, and is fetched again', async () => {
  const queries = new QueryClient()
  const { promise, resolve } = Promise.withResolvers<ImportRecord>()
  const answer = queries.fetchQuery({ queryKey: keys.import('i1'), queryFn: () => promise })
  expect(applyImportEvent(queries, 'update', failed)).toEqual([keys.import('i1')])
  resolve(reading)
  await answer
})
