import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import type { SampleLibrary } from '#shared/sample-library.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { sampleRoutes } from './sample-routes.ts'

const catalogue = await openFederatedStarter()
const folder = mkdtempSync(join(tmpdir(), 'octavo-sample-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function readSample(): Promise<string> {
  const sample = sampleRoutes({ catalogue, folder, log: pino({ level: 'silent' }) })
  const app = new Hono().route('/', sample.router)
  const get = async () => (await app.request('/sample')).text()
  expect(await get()).toBe('{"data":null}')
  await sample.close()
  const read = await get()
  expect(await get()).toBe(read)
  return read
}

test('the sample file is imported, and its year is counted', async () => {
  const { data } = JSON.parse(await readSample()) as { data: SampleLibrary }
  expect(data.matched).toBe(data.rows - 1)
  const [byIsbn, , , byTitle, kept] = data.examples
  expect(byIsbn?.book).toMatchObject({ title: byIsbn?.title })
  expect(byIsbn?.book?.slug.endsWith(`-${byIsbn.isbn}`)).toBe(true)
  expect(byTitle).toMatchObject({ isbn: '', state: 'matched', book: { title: byTitle?.title } })
  expect(kept).toMatchObject({ state: 'unmatched', book: null })

  expect(data.books).toBeGreaterThan(20)
  expect(data.finished).toHaveLength(data.books)
  expect(data.months).toHaveLength(12)
  expect(data.months.reduce((sum, count) => sum + count)).toBe(data.books)
  // Goodreads' file says no minutes, so audiobooks count as books alone.
  const pages = data.finished.reduce((sum, book) => sum + book.pages, 0)
  expect(data.pages).toBe(pages)
  const titles = data.finished.map(({ title }) => title)
  for (const title of data.best) expect(titles).toContain(title)
})

test('the sample library is always the same and leaves no files', async () => {
  expect(await readSample()).toBe(await readSample())
  expect(readdirSync(folder)).toEqual([])
})
