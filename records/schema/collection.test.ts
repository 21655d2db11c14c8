import { expect, test } from 'vitest'
import { collection, Schema } from './collection.ts'

test('an id is derived from type and name like PocketBase’s, as clients know some', () => {
  const rules = { list: '', view: '', create: '', update: '', delete: '' }
  const accounts = collection({ name: '_superusers', type: 'auth', fields: [], rules })
  expect(accounts.id).toBe('pbc_3142635823')
  expect(collection({ name: '_superusers', fields: [], rules }).id).not.toBe(accounts.id)
})

test('a collection is found by its exact id, or by its name in any case', () => {
  const rules = { list: '', view: '', create: '', update: '', delete: '' }
  const notes = collection({ id: 'pbc_Notes', name: 'notes', fields: [], rules })
  const folders = collection({ name: 'Folders', fields: [], rules })
  const schema = new Schema([notes, folders])
  expect([schema.find('pbc_Notes'), schema.find('NOTES')]).toEqual([notes, notes])
  expect([schema.find(folders.id), schema.find('folders')]).toEqual([folders, folders])
  for (const other of ['pbc_notes', 'PBC_Notes', folders.id.toUpperCase(), 'note', ''])
    expect(schema.find(other), other).toBeUndefined()
})
