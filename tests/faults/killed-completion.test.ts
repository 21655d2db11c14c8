import { once } from 'node:events'
import { afterAll, expect, test, vi } from 'vitest'
import type { UserBook } from '#shared/user-book.ts'
import { openCatalogues } from '#tests/catalogues.ts'
import { signedIn, signUp } from '#tests/signed-in.ts'
import { engines, openInstallation } from './installation.ts'

const sites = await openCatalogues()
afterAll(() => sites.close())

// 35 s: what a killed process had taken is free after 30.
test.for(engines)(
  'books are completed though the server is killed while it asks (%s)',
  { timeout: 300_000 },
  async (engine) => {
    const { post, start } = await openInstallation(engine, {
      COMPLETE_BOOKS: 'on',
      CATALOGUE_SOURCES: 'openlibrary',
      OPENLIBRARY_URL: sites.openLibraryUrl,
    })
    sites.behave('openlibrary', 'hangs')
    sites.asked.length = 0
    let octavo = await start()
    const token = await signUp(octavo, post, 'reader')
    const client = signedIn(octavo, token)
    const shelf = await client
      .collection('bookshelves')
      .create({ name: 'Ferries', visibility: 'private' })
    const { id } = await client.collection('user_books').create({
      shelf: shelf.id,
      status: 'planning',
      title: 'The Night Ferry to Umbra',
      isbn: '9781861972712',
    })
    await vi.waitUntil(() => sites.asked.length > 0, { timeout: 30_000 })
    const ended = once(octavo.process, 'exit')
    octavo.process.kill('SIGKILL')
    await ended
    sites.behave('openlibrary', 'fine')
    octavo = await start()
    const books = signedIn(octavo, token).collection('user_books')
    const isCompleted = async () => (await books.getOne<UserBook>(id)).page_count > 0
    await vi.waitUntil(isCompleted, { timeout: 60_000, interval: 200 })
    expect(await books.getOne(id)).toMatchObject({ page_count: 312, language: 'eng' })
  },
)
