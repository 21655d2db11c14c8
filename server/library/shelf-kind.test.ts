import { beforeEach, expect, test } from 'vitest'
import type { Bookshelf } from '#shared/bookshelf.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }
import {
  addBook,
  addShelf,
  ask,
  askAs,
  openFixture,
  path,
  type Fixture,
  type Reader,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'

describeMigratedDatabases('the kind of a shelf', (open) => {
  let fixture: Fixture
  let reader: Reader

  beforeEach(async () => {
    fixture = await openFixture(await open())
    reader = await fixture.reader('reader')
    return () => fixture.close()
  })

  const wanted = { name: 'To be read', visibility: 'public', kind: 'want' }
  const shelves = () => reader.client.collection('bookshelves')
  const create = (form: object) => ask(reader.client, 'POST', path('bookshelves'), form)
  const restore = (id: string) =>
    ask(reader.client, 'POST', '/api/v1/library/restore', { collection: 'bookshelves', ids: [id] })

  test('is set on create and then fixed', async () => {
    const { id, kind } = await shelves().create<Bookshelf>(wanted)
    expect(kind).toBe('want')
    expect(await shelves().update(id, { name: 'Someday', kind: '' })).toMatchObject({
      name: 'Someday',
      kind: 'want',
    })
    const plain = await addShelf(reader, 'Want to read')
    expect(await shelves().update(plain.id, { kind: 'want' })).toMatchObject({ kind: '' })
    expect(await create({ ...wanted, kind: 'done' })).toMatchObject({
      status: 400,
      body: { data: { kind: { code: 'validation_invalid_value' } } },
    })
  })

  test('is for the owner alone', async () => {
    const { id } = await shelves().create(wanted)
    const { client } = await fixture.reader('stranger')
    for (const others of [client, fixture.visitor()]) {
      const seen = await others.collection('bookshelves').getOne(id)
      expect(seen).toMatchObject({ name: 'To be read' })
      expect(seen).not.toHaveProperty('kind')
    }
  })

  test('R30: is once, however many ask at once, and never counts against the five', async () => {
    for (let n = 0; n < 3; n++) await addShelf(reader, `Shelf ${n}`)
    const at = async (count: number, form: object) =>
      Promise.all(
        Array.from({ length: count }, () =>
          askAs(fixture, reader, 'POST', path('bookshelves'), form),
        ),
      )
    const made = await at(20, wanted)
    expect(made.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = made.find(({ status }) => status === 400)
    expect(refused?.text).toContain('"kind":{"code":"validation_not_unique"')
    const plain = { name: 'Another', visibility: 'public' }
    expect((await at(10, plain)).filter(({ status }) => status === 200)).toHaveLength(2)
    expect(await create(plain)).toMatchObject({ body: { message: answers.shelfLimit } })
    expect(await shelves().getFullList()).toHaveLength(6)
  })

  test('is there also where the plan has no more room', async () => {
    for (let n = 0; n < 5; n++) await addShelf(reader, `Shelf ${n}`)
    expect((await create(wanted)).status).toBe(200)
    expect((await create(wanted)).status).toBe(400)
  })

  test('survives the trash and a reset', async () => {
    const { id } = await shelves().create(wanted)
    await addBook(reader, id, { title: 'Emma' })
    for (let n = 0; n < 5; n++) await addShelf(reader, `Shelf ${n}`)
    await shelves().delete(id)
    expect((await restore(id)).status).toBe(204)
    expect((await ask(reader.client, 'POST', '/api/v1/account/reset')).status).toBe(204)
    expect(await shelves().getOne(id)).toMatchObject({ kind: 'want', book_count: 0 })
  })

  test('stays with the shelf made since the removal; the other comes back without it', async () => {
    const old = await shelves().create(wanted)
    await addBook(reader, old.id, { title: 'Emma' })
    await shelves().delete(old.id)
    const { id } = await shelves().create({ ...wanted, name: 'Made since' })
    for (let n = 0; n < 5; n++) await addShelf(reader, `Shelf ${n}`)
    expect(await restore(old.id)).toMatchObject({
      status: 409,
      body: { message: answers.shelfLimit },
    })
    const [one] = await shelves().getFullList({ filter: 'kind = ""' })
    await shelves().delete(one!.id)
    expect((await restore(old.id)).status).toBe(204)
    expect(await shelves().getOne(old.id)).toMatchObject({ kind: '', book_count: 1 })
    expect(await shelves().getOne(id)).toMatchObject({ kind: 'want' })
  })
})
