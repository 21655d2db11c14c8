import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type PocketBase from 'pocketbase'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newPostgresUrl } from '#tests/databases.ts'
import { engines, newFolder, runCommand, keepAddingBooks } from '#tests/faults/backups.ts'
import { startOctavo } from '#tests/octavo.ts'
import { openMailServer } from '#tests/smtp.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'

/** What each book is, whole, by its id. */
async function hashes(client: PocketBase): Promise<Map<string, string>> {
  const books = await client.collection('user_books').getFullList({ batch: 500 })
  return new Map(books.map((book) => [book.id, hashOf(book)]))
}

const hashOf = (record: object) => createHash('sha256').update(JSON.stringify(record)).digest('hex')

describe.for(engines)('one backup after the other ($engine)', ({ engine, possible }) => {
  // 7 s: backups are named after the second, and two servers start.
  test.runIf(possible)(
    'R13: the newest has every write acknowledged before it began, row by row',
    { timeout: 600_000 },
    async () => {
      const post = await openMailServer()
      onTestFinished(() => post.close())
      const databaseUrl = async () => (engine === 'SQLite' ? '' : newPostgresUrl())
      const place = async () => ({ DATA_DIR: newFolder(), DATABASE_URL: await databaseUrl() })
      const env = { ...(await place()), SMTP_URL: post.url, PLAN_DEFAULT: 'premium' }
      const lost = await startOctavo(env)
      onTestFinished(async () => void (await lost.stop()))
      const token = await signUp(lost, post)
      const client = signedIn(lost, token)
      const shelf = await client
        .collection('bookshelves')
        .create({ name: 'Kept safe', visibility: 'public' })
      const writing = keepAddingBooks(client, shelf.id)
      const backups = newFolder()
      let promised = 0
      for (const nth of [1, 2]) {
        await expect.poll(() => writing.acknowledged.length).toBeGreaterThan(promised + 3)
        promised = writing.acknowledged.length
        // It is named after the second, and the one before may have the same.
        const backUp = async () => (await runCommand('backup', backups, env)).code
        await expect.poll(backUp, { timeout: 30_000 }).toBe(0)
        expect(readdirSync(backups)).toHaveLength(nth)
      }

      // The machine is gone, in the middle of its writes.
      lost.process.kill('SIGKILL')
      await expect(writing.done).rejects.toMatchObject({ status: 0 })
      const elsewhere = { ...env, ...(await place()) }
      const newest = join(backups, readdirSync(backups).toSorted().at(-1)!)
      const { code, said } = await runCommand('restore', newest, elsewhere)
      expect(code, said).toBe(0)
      const restored = await startOctavo(elsewhere)
      onTestFinished(async () => void (await restored.stop()))
      const found = await hashes(signedIn(restored, token))
      const before = writing.acknowledged.slice(0, promised)
      expect(before.map(({ id }) => found.get(id))).toEqual(before.map(hashOf))
    },
  )
})
