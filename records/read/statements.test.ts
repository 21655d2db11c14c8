import { expect, test } from 'vitest'
import { sqlite } from '../database/sqlite-dialect.ts'
import { collection, Schema } from '../schema/collection.ts'
import { cached } from './statements.ts'

const rules = { list: '', view: '', create: null, update: null, delete: null }

/** @returns how many of `count` statements with keys of this length are no longer cached */
function madeAgain(count: number, length: number): number {
  const schema = new Schema([collection({ name: 'notes', fields: [], rules })])
  const context = { dialect: sqlite, schema, viewer: undefined }
  const keys = Array.from({ length: count }, (_, i) => `${i} `.padEnd(length, 'x'))
  let made = 0
  const make = () => ({ statement: ++made })
  for (const key of keys) cached(context, key, make)
  made = 0
  // Backwards, so that no cached statement is evicted by a missing one.
  for (const key of keys.toReversed()) if (!isKept(key)) made++
  return made

  function isKept(key: string): boolean {
    let isNew = false
    cached(context, key, () => ({ isNew: (isNew = true) }))
    return !isNew
  }
}

test('the statements of many short filters stay cached', () => {
  expect(madeAgain(900, 100)).toBe(0)
})

test('R52: the statements of long filters do not pile up', () => {
  expect(madeAgain(900, 3500)).toBeGreaterThan(840)
})
