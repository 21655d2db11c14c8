import { beforeAll, describe, expect, test } from 'vitest'
import type PocketBase from 'pocketbase'
import type { ListResult, RecordModel } from 'pocketbase'
import type { Database, StoredRecord } from '#records/index.ts'
import { schema } from '#server/collections/schema.ts'
import type { UserBook } from '#shared/user-book.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { seedOwner, recordKindNames, recordKinds, type Owner, type RecordKind } from './owner.ts'
import { addShelf, ask, openFixture, path, type Reader, type Fixture } from './fixture.ts'

test('every collection has its records in the tables of access', () => {
  const asked = new Set<string>(recordKindNames.map((thing) => recordKinds[thing].collection))
  expect(schema.collections.map(({ name }) => name).filter((name) => !asked.has(name))).toEqual([])
})

describeMigratedDatabases('who may see and change what', (open) => {
  let fixture: Fixture
  let visitor: PocketBase
  let another: Reader
  let owners: Record<'public' | 'private', Owner>

  beforeAll(async () => {
    const database: Database = await open()
    fixture = await openFixture(database)
    visitor = fixture.visitor()
    another = await fixture.reader('another')
    const hidden = await seedOwner(fixture, 'hidden')
    await hidden.client
      .collection('settings')
      .update(hidden.ids['the settings'], { isPrivate: true })
    owners = { public: await seedOwner(fixture, 'shown'), private: hidden }
    return () => fixture.close()
  })

  const strangers = () => ({ visitor, another: another.client })

  describe.each(['public', 'private'] as const)('a %s profile', (kind) => {
    const seen = (thing: RecordKind) => kind === 'public' && recordKinds[thing].others

    test.each(recordKindNames)('%s, for others', async (thing) => {
      const { collection } = recordKinds[thing]
      const id = owners[kind].ids[thing]
      for (const [who, client] of Object.entries(strangers())) {
        const list = await find(client, collection, id)
        expect(list.totalItems, `list as ${who}`).toBe(seen(thing) ? 1 : 0)
        expect(list.items, `list as ${who}`).toHaveLength(seen(thing) ? 1 : 0)
        const view = await ask(client, 'GET', path(collection, id))
        const nothing = await ask(client, 'GET', path(collection, 'aaaaaaaaaaaaaaa'))
        expect(view, `view as ${who}`).toEqual(
          seen(thing) ? { status: 200, body: list.items[0] } : nothing,
        )
        expect(nothing.status).toBe(404)
      }
    })

    test('no list of others shows more than what may be seen', async () => {
      for (const client of Object.values(strangers())) {
        for (const collection of new Set(
          recordKindNames.map((thing) => recordKinds[thing].collection),
        )) {
          const all = await client.collection(collection).getFullList()
          const shown = all.map((record) => record.id)
          for (const thing of recordKindNames) {
            if (recordKinds[thing].collection !== collection) continue
            expect(shown.includes(owners[kind].ids[thing]), thing).toBe(seen(thing))
          }
        }
      }
    })

    const changes: [RecordKind, object][] = [
      ['an import', { state: 'applying' }],
      ['the account', { name: 'Changed' }],
      ['the settings', { isPrivate: false }],
      ['a public shelf', { name: 'Changed' }],
      ['a private shelf', { name: 'Changed' }],
      ['a book on a public shelf', { title: 'Changed' }],
      ['a book on a private shelf', { title: 'Changed' }],
      ['an activity', { isPrivate: true }],
      ['a hidden activity', { isPrivate: false }],
      ['a private book on a public shelf', { isPrivate: false }],
      ['a reading', { rating: 1 }],
      ['a reading of a private book', { rating: 1 }],
      ['a progress log', { to: 200 }],
      ['an open quote', { text: 'Changed' }],
      ['a private quote', { isPrivate: false }],
      ['a private goal', { isPrivate: false }],
    ]
    test.each(changes)('%s is changed or deleted by nobody else', async (thing, change) => {
      const { collection } = recordKinds[thing]
      const { ids } = owners[kind]
      const find = (): Promise<StoredRecord | null> => fixture.records.find(collection, ids[thing])
      const before = await find()
      for (const client of Object.values(strangers())) {
        const update = await ask(client, 'PATCH', path(collection, ids[thing]), change)
        const remove = await ask(client, 'DELETE', path(collection, ids[thing]))
        const nothing = await ask(client, 'PATCH', path(collection, 'aaaaaaaaaaaaaaa'), change)
        expect(update).toEqual(nothing)
        expect(update.status).toBe(404)
        expect(remove.status).toBe(404)
        // What is wrong with the body is not told before that.
        const invalid = { name: 'x', title: '', email: 'no', default_add_status: 'no' }
        expect(await ask(client, 'PATCH', path(collection, ids[thing]), invalid)).toEqual(nothing)
      }
      expect(await fixture.records.find(collection, ids[thing])).toEqual(before)
    })

    test('nobody puts a book on the shelves of others, and one answer says so', async () => {
      const { ids } = owners[kind]
      const shelves = [ids['a public shelf'], ids['a private shelf'], 'aaaaaaaaaaaaaaa']
      const refusal = {
        status: 400,
        body: { data: {}, message: 'Failed to create record.', status: 400 },
      }
      for (const shelf of shelves)
        for (const client of Object.values(strangers()))
          expect(
            await ask(client, 'POST', path('user_books'), {
              shelf,
              title: 'Smuggled',
              status: 'reading',
            }),
          ).toEqual(refusal)
    })

    test('nobody writes for others, or about a book that is not theirs', async () => {
      const { client, id, ids } = owners[kind]
      const book = await client
        .collection('user_books')
        .getOne<UserBook>(ids['a private book on a public shelf'])
      const refusal = {
        status: 400,
        body: { data: {}, message: 'Failed to create record.', status: 400 },
      }
      const forms: [string, Record<string, unknown>][] = [
        ['readings', { outcome: 'reading', book_key: book.book_key }],
        ['progress_log', { day: '2026-01-01', unit: 'pages', to: 9, book_key: book.book_key }],
        ['quotes', { text: 'Smuggled', book_key: book.book_key }],
        ['goals', { year: 2030, kind: 'books', target: 3 }],
      ]
      for (const [collection, form] of forms) {
        expect(await ask(visitor, 'POST', path(collection), form)).toEqual(refusal)
        const forOwner = { ...form, user: id }
        for (const stranger of Object.values(strangers()))
          expect(await ask(stranger, 'POST', path(collection), forOwner)).toEqual(refusal)
        if (!('book_key' in form)) continue
        // Whether somebody else has the book is not told.
        const own = await ask(another.client, 'POST', path(collection), form)
        const none = { ...form, book_key: 'nothing|nobody' }
        expect(own).toMatchObject({ status: 400, body: { data: { book_key: {} } } })
        expect(own).toEqual(await ask(another.client, 'POST', path(collection), none))
      }
    })

    test('what only its reader sees of a book says nothing to others', async () => {
      const { client, ids } = owners[kind]
      const id = ids['a book on a public shelf']
      await client.collection('user_books').update(id, { notes: 'canary note', position: 4 })
      const filters = ['notes ~ "canary"', 'position = 4', 'book_key = "9780141439471"']
      for (const filter of filters) {
        const asked = { filter: `${filter} && id = "${id}"` }
        expect((await client.collection('user_books').getList(1, 1, asked)).totalItems).toBe(1)
        expect(
          (await another.client.collection('user_books').getList(1, 1, asked)).totalItems,
        ).toBe(0)
        const query = `?filter=${encodeURIComponent(asked.filter)}`
        expect((await ask(visitor, 'GET', path('user_books') + query)).status).toBe(400)
      }
      for (const stranger of Object.values(strangers())) {
        const { items } = await stranger.collection('user_books').getList(1, 200)
        const own = stranger.authStore.record?.id
        for (const item of items.filter(({ user }) => user !== own))
          for (const field of ['notes', 'position', 'book_key'])
            expect(item).not.toHaveProperty(field)
      }
    })

    test('R35: the owner changes what is theirs, and nothing the server keeps', async () => {
      const { client, ids, id } = owners[kind]
      const attempt = {
        user: another.id,
        book_count: 99,
        covers: ['http://x'],
        created: '2001-01-01 00:00:00.000Z',
        book_key: 'other',
        progress_average: 50,
        event_type: 'dropped',
        data: null,
        unknown: 1,
        tokenKey: 'x'.repeat(50),
        isAdmin: true,
        emailVisibility: true,
        collectionId: 'x',
      }
      const kept = [
        'user',
        'book_count',
        'covers',
        'created',
        'book_key',
        'progress_average',
        'event_type',
        'data',
        'id',
        'tokenKey',
        'isAdmin',
        'emailVisibility',
      ]
      const targets: [RecordKind, object][] = [
        ['a public shelf', { name: 'Renamed' }],
        ['a book on a public shelf', { rating: 7.5 }],
        ['an activity on a private shelf', { isPrivate: true }],
        ['the settings', { default_add_status: 'planning' }],
        ['the account', { name: 'New name' }],
      ]
      for (const [thing, change] of targets) {
        const { collection } = recordKinds[thing]
        const find = (): Promise<StoredRecord | null> =>
          fixture.records.find(collection, ids[thing])
        const before = await find()
        const answer = await ask(client, 'PATCH', path(collection, ids[thing]), {
          ...attempt,
          ...change,
        })
        expect(answer.status, thing).toBe(200)
        const after = await find()
        expect(after, thing).toMatchObject(change)
        for (const field of kept)
          expect(after?.[field], `${thing} ${field}`).toEqual(before?.[field])
        // An id is no field to be left aside: whoever sends another one means another record.
        const renamed = await ask(client, 'PATCH', path(collection, ids[thing]), {
          id: 'aaaaaaaaaaaaaaa',
        })
        expect(renamed, thing).toMatchObject({
          status: 400,
          body: { data: { id: { code: 'validation_pk_change' } } },
        })
      }
      expect((await fixture.records.find('users', id))?.['id']).toBe(id)
      expect(await client.collection('users').authRefresh()).toHaveProperty('token')
    })

    test('the owner moves no book to the shelf of somebody else', async () => {
      const { client, ids } = owners[kind]
      const foreign = await addShelf(another, 'A foreign shelf')
      const book = path('user_books', ids['a book on a public shelf'])
      const refused = await ask(client, 'PATCH', book, { shelf: foreign.id })
      expect(refused.status).toBe(400)
      expect(refused).toEqual(await ask(client, 'PATCH', book, { shelf: 'aaaaaaaaaaaaaaa' }))
      await another.client.collection('bookshelves').delete(foreign.id)
    })

    test('the owner cannot change e-mail or verification, nor the password without the old one', async () => {
      const { client, id } = owners[kind]
      for (const change of [
        { email: 'other@example.org' },
        { verified: false },
        { password: 'another password', passwordConfirm: 'another password' },
      ])
        expect((await ask(client, 'PATCH', path('users', id), change)).status).toBe(400)
    })
  })

  test('of an account others get its public face only', async () => {
    const { client, id, email } = owners.public
    for (const stranger of Object.values(strangers())) {
      const user = await stranger.collection('users').getOne(id)
      expect(Object.keys(user).toSorted()).toEqual([
        'avatar',
        'collectionId',
        'collectionName',
        'id',
        'name',
        'username',
      ])
      const asked = await stranger
        .collection('users')
        .getOne(id, { fields: 'email,password,tokenKey,verified' })
      expect(asked).toEqual({})
    }
    const own = await client.collection('users').getOne(id)
    expect(own).toMatchObject({ email, verified: true })
    expect(own).not.toHaveProperty('password')
    expect(own).not.toHaveProperty('tokenKey')
  })

  test('an address is found by no filter, not even its owner’s', async () => {
    const { client, email, id } = owners.public
    for (const asking of [visitor, another.client, client])
      for (const [collection, filter] of [
        ['users', `email = "${email}"`],
        ['users', `email ~ "example"`],
        ['users', `email:lower = "${email}"`],
        ['users', `email != "x"`],
        ['bookshelves', `user = "${id}" && user.email ~ "example"`],
        ['users', `bookshelves_via_user.user.email ?~ "example"`],
        ['user_books', `shelf.user.email:lower ~ "example"`],
        ['users', `subscriptions_via_user.status = "active"`],
      ] as const)
        expect(
          (await asking.collection(collection).getList(1, 1, { filter })).totalItems,
          filter,
        ).toBe(0)
  })

  test('what is hidden cannot be sorted by, and is filtered by like a field that is not there', async () => {
    const unknown = await ask(
      visitor,
      'GET',
      `${path('users')}?filter=${encodeURIComponent('nonsense = 1')}`,
    )
    expect(unknown.status).toBe(400)
    const asked = [
      ...['email', 'password', 'tokenKey', 'verified', 'emailVisibility', 'lastResetSentAt'].map(
        (field) => `sort=${field}`,
      ),
      ...['password', 'tokenKey', 'verified', 'emailVisibility', 'created'].map(
        (field) => `filter=${field}!=""`,
      ),
      'filter=@request.auth.id!=""',
      'filter=@collection.users.id!=""',
      'filter=@rowid>0',
      'sort=@rowid',
      'sort=@request.auth.id',
      'sort=@collection.users.id',
    ]
    for (const question of asked)
      expect(
        await ask(visitor, 'GET', `${path('users')}?${encodeURI(question)}`),
        question,
      ).toEqual(unknown)
    expect(
      (
        await ask(
          visitor,
          'GET',
          `${path('user_books')}?filter=${encodeURIComponent('book_key != ""')}`,
        )
      ).status,
    ).toBe(400)
  })

  test('a private shelf is not found through its books, nor a private owner through a shelf', async () => {
    const { id, ids } = owners.public
    const questions: [string, string][] = [
      ['user_books', `user = "${id}" && shelf.name ~ "Closed"`],
      ['users', `bookshelves_via_user.name ?~ "Closed" && id = "${id}"`],
      ['bookshelves', `user_books_via_shelf.title ?= "Unseen"`],
      ['users', `settings_via_user.isPrivate = false && id != "${another.id}"`],
      ['users', `user_books_via_user.title ?= "Unseen"`],
      ['bookshelves', `user = "${owners.private.id}"`],
    ]
    for (const [collection, filter] of questions)
      for (const client of Object.values(strangers()))
        expect(
          (await client.collection(collection).getList(1, 5, { filter })).totalItems,
          filter,
        ).toBe(0)
    // The owner finds all of it.
    const own = owners.public.client
    const mine = await own
      .collection('bookshelves')
      .getList(1, 5, { filter: `user_books_via_shelf.title ?= "Unseen"` })
    expect(mine.items.map((shelf) => shelf.id)).toContain(ids['a private shelf'])
  })

  test('settings that may not be seen are as if there were none', async () => {
    const filter = 'settings_via_user.default_add_status != "x"'
    const none = 'settings_via_user.id = ""'
    for (const stranger of Object.values(strangers())) {
      const all = await idsOf(stranger, 'users', '')
      expect(await idsOf(stranger, 'users', filter)).toEqual(all)
      const own = stranger.authStore.record?.id
      expect(await idsOf(stranger, 'users', none)).toEqual(all.filter((id) => id !== own))
    }
  })

  test.each(['settings_via_user.id != ""', 'subscriptions_via_user.status = "canceled"'])(
    'by %s a reader finds nobody but themselves',
    async (filter) => {
      const { client, id } = owners.public
      for (const stranger of [...Object.values(strangers()), owners.private.client])
        expect(await idsOf(stranger, 'users', filter)).not.toContain(id)
      expect(await idsOf(client, 'users', filter)).toEqual([id])
      expect(await idsOf(visitor, 'users', filter)).toEqual([])
    },
  )

  test.each([
    ['user_books', 'shelf.visibility'],
    ['user_books', '-shelf.name'],
    ['user_books', 'user.username,-shelf.visibility'],
    ['bookshelves', 'visibility'],
    ['bookshelves', '-user.username'],
    ['activities', 'shelf.visibility,-book.title'],
    ['users', '@random'],
  ])('one by one, %s sorted by %s are those that may be seen', async (collection, sort) => {
    for (const client of Object.values(strangers())) {
      const visible = (await idsOf(client, collection, '')).toSorted()
      const swept: string[] = []
      for (let page = 1; page <= visible.length + 1; page++) {
        const one = await client.collection(collection).getList(page, 1, { sort })
        expect(one.totalItems).toBe(visible.length)
        swept.push(...one.items.map(({ id }) => id))
      }
      expect(swept).toHaveLength(visible.length)
      for (const id of swept) expect(visible).toContain(id)
      // What is sorted at random is so anew for every page.
      const whole = await client.collection(collection).getFullList({ sort })
      expect(whole.map(({ id }) => id).toSorted()).toEqual(visible)
    }
  })

  test('expand gives what may be seen of a relation', async () => {
    const { id, ids } = owners.public
    const book = await visitor
      .collection('user_books')
      .getOne(ids['a book on a public shelf'], { expand: 'shelf,user' })
    expect(book.expand).toMatchObject({ shelf: { id: ids['a public shelf'] }, user: { id } })
    expect((book.expand as { user: object }).user).not.toHaveProperty('email')
    const user = await visitor.collection('users').getOne(id, {
      expand: 'bookshelves_via_user,settings_via_user,subscriptions_via_user',
    })
    const expanded = user.expand as Record<string, { id: string }[]>
    expect(expanded['bookshelves_via_user']?.map((shelf) => shelf.id)).toEqual([
      ids['a public shelf'],
    ])
    expect(expanded).not.toHaveProperty('settings_via_user')
    expect(expanded).not.toHaveProperty('subscriptions_via_user')
  })

  test('a visitor makes accounts and nothing else, a reader makes no account', async () => {
    const generic = {
      status: 400,
      body: { data: {}, message: 'Failed to create record.', status: 400 },
    }
    const shelf = { name: 'A shelf', visibility: 'public' }
    expect(await ask(visitor, 'POST', path('bookshelves'), shelf)).toEqual(generic)
    expect(await ask(visitor, 'POST', path('bookshelves'), { ...shelf, user: another.id })).toEqual(
      generic,
    )
    for (const stranger of Object.values(strangers()))
      expect(await ask(stranger, 'POST', path('settings'), { user: owners.public.id })).toEqual(
        generic,
      )
    expect(
      await ask(another.client, 'POST', path('bookshelves'), { ...shelf, user: owners.public.id }),
    ).toEqual(generic)
    const account = { email: 'n@example.org', password: '12345678', passwordConfirm: '12345678' }
    expect(await ask(another.client, 'POST', path('users'), account)).toEqual(generic)
  })

  test('R35: at sign-up only the fields of the form count', async () => {
    const made = await visitor.collection('users').create({
      email: 'Whole@Example.org',
      password: '12345678',
      passwordConfirm: '12345678',
      username: 'Whole.Reader',
      name: 'Whole',
      verified: false,
      emailVisibility: true,
      tokenKey: 'x'.repeat(50),
      isAdmin: true,
    })
    expect(made).toMatchObject({ username: 'whole.reader', name: 'Whole' })
    const stored = await fixture.records.find('users', made.id)
    expect(stored).toMatchObject({
      email: 'whole@example.org',
      verified: false,
      emailVisibility: false,
      isAdmin: false,
    })
    expect(stored?.['tokenKey']).not.toBe('x'.repeat(50))
  })

  test('a view is read only', async () => {
    const { id, client } = owners.public
    for (const asking of [visitor, client])
      for (const answer of [
        await ask(asking, 'POST', path('profile'), { username: 'x' }),
        await ask(asking, 'PATCH', path('profile', id), { username: 'x' }),
        await ask(asking, 'DELETE', path('profile', id)),
      ])
        expect(answer).toMatchObject({
          status: 400,
          body: { message: 'Unsupported collection type.' },
        })
  })

  test('what is no collection of the product is not there', async () => {
    const names =
      '_superusers _mfas _otps _sessions _externalAuths _authOrigins _devices _usedTokens _passkeys _mailLinks _limits _files _migrations outbox reports billing_events webhook_events former_usernames invitations sqlite_master nothing'.split(
        ' ',
      )
    for (const name of names)
      for (const client of [visitor, another.client, owners.public.client]) {
        for (const method of ['GET', 'POST'])
          expect((await ask(client, method, path(name))).status, `${method} ${name}`).toBe(404)
        for (const method of ['GET', 'PATCH', 'DELETE'])
          expect((await ask(client, method, path(name, another.id))).status, name).toBe(404)
      }
  })

  test('a setting that is missing means private', async () => {
    const lost = await seedOwner(fixture, 'lost')
    await fixture.records.write((tx) => tx.delete('settings', lost.ids['the settings']))
    for (const thing of recordKindNames) {
      const { collection } = recordKinds[thing]
      expect((await find(visitor, collection, lost.ids[thing])).totalItems, thing).toBe(0)
    }
    expect((await find(lost.client, 'bookshelves', lost.ids['a public shelf'])).totalItems).toBe(1)
  })

  test('what is theirs an owner deletes, and it is gone for everybody', async () => {
    const leaving = await seedOwner(fixture, 'leaving')
    const own: RecordKind[] = ['an activity', 'a hidden activity', 'a book on a public shelf']
    for (const thing of [...own, 'a public shelf', 'a private shelf'] as RecordKind[]) {
      const address = path(recordKinds[thing].collection, leaving.ids[thing])
      expect((await ask(leaving.client, 'DELETE', address)).status, thing).toBe(204)
      for (const client of [visitor, leaving.client])
        expect((await ask(client, 'GET', address)).status, thing).toBe(404)
    }
    const address = path('user_books', leaving.ids['a book on a private shelf'])
    expect((await ask(leaving.client, 'GET', address)).status).toBe(404)
  })

  test('an account that is deleted takes everything along, and its token is nobody’s', async () => {
    const gone = await seedOwner(fixture, 'gone')
    await gone.client.collection('users').delete(gone.id)
    const owned = schema.collections.filter(
      ({ type, fields }) => type === 'base' && fields.some(({ name }) => name === 'user'),
    )
    for (const { name: collection } of owned) {
      const [row] = await fixture.database.query(
        `SELECT COUNT(*) FROM ${collection} WHERE "user" = '${gone.id}'`,
      )
      expect(row?.[0], collection).toBe(0)
    }
    expect((await ask(gone.client, 'POST', '/api/collections/users/auth-refresh')).status).toBe(401)
  })
})

async function idsOf(client: PocketBase, collection: string, filter: string): Promise<string[]> {
  const records = await client.collection(collection).getFullList<RecordModel>({ filter })
  return records.map(({ id }) => id)
}

function find(
  client: PocketBase,
  collection: string,
  id: string,
): Promise<ListResult<RecordModel>> {
  return client.collection(collection).getList(1, 5, { filter: `id = "${id}"` })
}
