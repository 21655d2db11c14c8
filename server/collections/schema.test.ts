import { expect, test } from 'vitest'
import { createSchema } from './schema.ts'

test('accounts have the id that clients know them by, and everything else has one of its own', () => {
  const { collections } = createSchema('free')
  const ids = collections.map(({ id }) => id)
  expect(collections.find(({ name }) => name === 'users')?.id).toBe('_pb_users_auth_')
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => id !== '_pb_users_auth_').every((id) => /^pbc_\d+$/.test(id))).toBe(
    true,
  )
})
