import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { collection, diskStorage, Schema } from '#records/index.ts'
import { openFixture, schema as plain, type OpenDatabase } from './wire/fixture.ts'

const own = 'owner = @request.auth.id'

/** Things with a field for each kind of refusal. */
const schema = new Schema([
  plain.get('members'),
  collection({
    name: 'things',
    fields: [
      {
        name: 'owner',
        type: 'relation',
        collection: 'members',
        required: true,
        cascadeDelete: true,
        fill: 'viewer',
        writable: 'create',
      },
      { name: 'title', type: 'text', min: 2, max: 20, pattern: /^[^<]*$/ },
      { name: 'code', type: 'text' },
      { name: 'text', type: 'editor', maxSize: 20 },
      { name: 'mail', type: 'email' },
      { name: 'link', type: 'url' },
      { name: 'day', type: 'date', min: '2000-01-01 00:00:00.000Z' },
      { name: 'stars', type: 'number', min: 1, max: 5, onlyInt: true },
      { name: 'kind', type: 'select', values: ['a', 'b'] },
      { name: 'next', type: 'relation', collection: 'things' },
      { name: 'list', type: 'relation', collection: 'things', maxSelect: 2 },
      { name: 'data', type: 'json', maxSize: 20 },
      { name: 'sure', type: 'bool', strict: true },
      { name: 'photo', type: 'file', mimeTypes: ['image/png', 'image/svg+xml'], maxSize: 2000 },
      { name: 'scans', type: 'file', maxSelect: 2 },
    ],
    unique: [['code']],
    rules: { list: own, view: own, create: own, update: own, delete: own },
  }),
])

/**
 * Opens the record service with a collection of things.
 *
 * @param count the most files of a member
 * @returns a member's client
 */
export async function openThings(open: OpenDatabase, count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const fileQuota = { bytes: 1_048_576, count }
  const fixture = await openFixture(open, { schema, files: diskStorage(folder), fileQuota })
  return fixture.member('ann')
}
