import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { openBucket } from '#tests/s3.ts'
import { compareFiles } from './compare.ts'
import { diskStorage } from './disk.ts'
import { s3Storage } from './s3.ts'
import { addFileRow, fileTables } from './table.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

async function openStorage(kind: 'folder' | 'bucket') {
  if (kind === 'folder') {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-compare-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return diskStorage(folder)
  }
  const bucket = await openBucket()
  onTestFinished(() => bucket.close())
  return s3Storage(bucket.options)
}

describeDatabases('stored files compared with their rows', (newDatabase) => {
  it.for(['folder', 'bucket'] as const)('in a %s', async (kind) => {
    const database = await newDatabase(({ name }) => fileTables(name))
    const storage = await openStorage(kind)
    const row = (name: string, size: number) => {
      const owner = { collection: 'users', record: 'ann', account: 'ann' }
      return database.transaction((tx) =>
        addFileRow(tx, { ...owner, name, size, mime: 'image/png', created: 9 }),
      )
    }
    await row('whole.png', 5)
    await row('short.png', 5)
    await row('lost.png', 5)
    await storage.put('users/ann/whole.png', bytes('whole'))
    await storage.put('users/ann/thumbs_whole.png/100x100_whole.png', bytes('a thumb'))
    await storage.put('users/ann/short.png', bytes('sho'))
    await storage.put('users/bob/stray.png', bytes('stray'))
    await storage.put('users/ann/thumbs_stray.png/100x100_stray.png', bytes('a thumb'))
    const found = await compareFiles(database, storage, -10_000)
    expect({ ...found, unnamed: found.unnamed.toSorted() }).toEqual({
      named: 3,
      missing: ['users/ann/lost.png'],
      resized: ['users/ann/short.png'],
      unnamed: ['users/ann/thumbs_stray.png/100x100_stray.png', 'users/bob/stray.png'],
    })
    // A file that was just stored may get its row at any moment.
    expect((await compareFiles(database, storage)).unnamed).toEqual([])
  })
})
