import { expect, test, vi } from 'vitest'
import { addBook, addShelf, ask, type Reader } from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { exported, useImports, type Exported } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'
import { migrate } from './new-collection.fixture.ts'

// Only the declarations are extended; all that follows from them is the server's own.
vi.mock(import('#server/collections/schema.ts'), async (original) => {
  const { extended } = await import('./new-collection.fixture.ts')
  const { createSchema, schema, ...rest } = await original()
  const createExtended: typeof createSchema = (...options) => extended(createSchema(...options))
  return { ...rest, createSchema: createExtended, schema: extended(schema) }
})
vi.mock(import('./parse.ts'), async (original) => {
  const { parseHere } = await import('./new-collection.fixture.ts')
  return { ...(await original()), parseInThread: parseHere }
})

const catalogue = await openFederatedStarter()

describeMigratedDatabases('R63: a new collection, and a new field of an old one', (open) => {
  const of = useImports(async () => {
    const database = await open()
    await migrate(database)
    return database
  }, catalogue)

  /** The loans and quotes of a reader’s export, with the titles of books for their ids. */
  async function kept(reader: Reader) {
    const all = JSON.parse(await exported(of.world, reader)) as Exported
    const titles = new Map(all['user_books']!.map(({ id, title }) => [id, title]))
    return {
      loans: all['loans']!.map(({ borrower, until, book }) => [borrower, until, titles.get(book)]),
      quotes: all['quotes']!.map(({ text, colour }) => [text, colour]),
    }
  }

  test('go through trash, export, import, its undoing, reset and deletion', async () => {
    const { reader: ann } = of
    const shelf = await addShelf(ann, 'Winter')
    const { id: book, book_key } = await addBook(ann, shelf.id, { title: 'Emma' })
    const loan = { book, borrower: 'Ines', until: '2026-05-01 00:00:00.000Z' }
    const { id } = await ann.client.collection('loans').create(loan)
    await ann.client.collection('quotes').create({ book_key, text: 'Handsome', colour: 'red' })
    const all = { loans: [['Ines', loan.until, 'Emma']], quotes: [['Handsome', 'red']] }
    expect(await kept(ann)).toEqual(all)

    await ann.client.collection('loans').delete(id)
    expect(await kept(ann)).toEqual({ ...all, loans: [] })
    const listed = await ask(ann.client, 'GET', '/api/v1/library/removed')
    expect(listed.body).toMatchObject({ data: { items: [{ collection: 'loans', name: 'Ines' }] } })
    const again = { collection: 'loans', ids: [id] }
    const bob = await of.world.reader('bob')
    expect((await ask(bob.client, 'POST', '/api/v1/library/restore', again)).status).toBe(404)
    expect((await ask(ann.client, 'POST', '/api/v1/library/restore', again)).status).toBe(204)
    expect(await kept(ann)).toEqual(all)

    const read = await of.send(await exported(of.world, ann), undefined, bob)
    expect(read).toMatchObject({ state: 'waiting', matched: read.total })
    await of.step(read.id, { state: 'applying' }, bob)
    expect(await kept(bob)).toEqual(all)
    const twice = await of.send(await exported(of.world, ann), undefined, bob)
    expect(twice).toMatchObject({ duplicate: twice.total - 1 })
    await of.step(read.id, { state: 'undone' }, bob)
    expect(await kept(bob)).toEqual({ loans: [], quotes: [] })
    expect(await ask(bob.client, 'GET', `/api/collections/loans/records/${id}`)).toMatchObject({
      status: 404,
    })

    const rowsOf = async (user: string) => {
      const rows = await of.world.database.query(
        `SELECT COUNT(*) FROM loans WHERE "user" = '${user}'`,
      )
      return Number(rows[0]![0])
    }
    const third = await of.send(await exported(of.world, ann), undefined, bob)
    await of.step(third.id, { state: 'applying' }, bob)
    expect([await rowsOf(ann.id), await rowsOf(bob.id)]).toEqual([1, 1])
    expect((await ask(ann.client, 'POST', '/api/v1/account/reset')).status).toBe(204)
    expect(await kept(ann)).toEqual({ loans: [], quotes: [] })
    await bob.client.collection('users').delete(bob.id)
    expect([await rowsOf(ann.id), await rowsOf(bob.id)]).toEqual([0, 0])
  })
})
