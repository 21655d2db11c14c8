import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Reader } from '#tests/access/fixture.ts'
import { describeMigratedSqlite } from '#tests/databases.ts'
import { counted, dump, useImports } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'

/** Real exports and small files with what such exports have got wrong, which aren't part of this. */
const folder = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
const files = ['imports', 'repro'].flatMap((name) => {
  const within = `${folder}${name}`
  const found = existsSync(within)
    ? readdirSync(within, { recursive: true, encoding: 'utf8', withFileTypes: true })
    : []
  return found
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
})
const catalogue = await openFederatedStarter()

describeMigratedSqlite('files of other trackers, where they are present', (open) => {
  const of = useImports(open, catalogue)
  const bring = async (file: string, who: Reader) => {
    const { id, options } = await of.send(readFileSync(file), undefined, who)
    if (options?.ambiguous_dates?.length)
      await of.step(id, { options: { ...options, date_order: 'mdy' }, state: 'reading' }, who)
    const read = await of.get(id, who)
    return read.state === 'waiting' ? of.step(id, { state: 'applying' }, who) : read
  }

  // 15 s: there are 32 files, each brought in three times.
  test.skipIf(!files.length)('change nothing once they are in', { timeout: 300_000 }, async () => {
    for (const [at, file] of files.entries()) {
      const who = await of.world.reader(`reader${at}`)
      const first = await bring(file, who)
      expect([file, first.state, counted(first)]).toEqual([file, 'done', first.total])
      const before = await dump(of.world, who)
      await bring(file, who)
      const { applied } = await bring(file, who)
      expect([file, applied]).toEqual([file, 0])
      expect(await dump(of.world, who)).toBe(before)
    }
  })

  const orders = [
    ['07a-older.csv', '07b-newer.csv'],
    ['07b-newer.csv', '07a-older.csv'],
  ].map((some) => some.map((name) => `${folder}repro/${name}`))

  test.skipIf(!files.length)('end alike, the older one first or last', async () => {
    const ends = []
    for (const [at, order] of orders.entries()) {
      const who = await of.world.reader(`reader${at}`)
      for (const file of order) await bring(file, who)
      const books = await of.books(who)
      ends.push(
        books.map(({ title, status, rating, tags, review, progress }) => [
          [title, status, rating, tags, review, progress],
        ]),
      )
    }
    expect(ends[0]).not.toEqual([])
    expect(ends[1]).toEqual(ends[0])
  })
})
