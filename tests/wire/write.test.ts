import { expect, it } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { ApiError, collection, Schema, type Hooks } from '#records/index.ts'
import {
  errorCodes,
  passwordStep,
  nextMail,
  openFixture,
  password,
  statusAndBody,
  rejection,
  schema,
} from './fixture.ts'

const notFound = { data: {}, message: "The requested resource wasn't found.", status: 404 }
const notCreated = { data: {}, message: 'Failed to create record.', status: 400 }

describeDatabases('create', (open) => {
  it('answers the record as a view does', async () => {
    const ann = await (await openFixture(open)).member('ann')
    const album = await ann.collection('albums').create({ name: 'Sea' }, { expand: 'owner' })
    expect(album).toMatchObject({
      name: 'Sea',
      owner: ann.me.id,
      secret: false,
      pictures: 0,
      collectionName: 'albums',
      expand: { owner: { id: ann.me.id, name: 'ann' } },
    })
    expect(album.id).toMatch(/^[a-z0-9]{15}$/)
    expect(await ann.collection('albums').getOne(album.id)).toMatchObject({ name: 'Sea' })
  })

  it('answers in the form that was asked for, or refuses before anything is written', async () => {
    const labels = (await openFixture(open)).client().collection('labels')
    expect(await labels.create({ name: 'x<' }, { fields: 'name' })).toEqual({ name: 'x<' })
    const broken = labels.create({ name: 'y' }, { fields: 'name:nonsense(1)' })
    expect((await rejection(broken)).status).toBe(400)
    expect((await labels.getFullList()).map((label) => label['name'])).toEqual(['x<'])
  })

  it('writes nothing whose answer would be too large', async () => {
    const ann = await (await openFixture(open)).member('ann')
    const album = await ann.collection('albums').create({ name: 'Sea' })
    const pictures = ann.collection('pictures')
    const batch = ann.createBatch()
    for (let i = 0; i < 50; i++)
      batch.collection('pictures').create({ album: album.id, title: 'old' })
    const [first] = await batch.send()
    const { id } = first!.body as { id: string }
    const leaf = 'album.pictures_via_album'
    const options = { expand: [leaf, leaf, leaf].join('.') }
    const create = pictures.create({ album: album.id, title: 'new' }, options)
    expect((await rejection(create)).response['message']).toContain('too large')
    const update = pictures.update(id, { title: 'new' }, options)
    expect((await rejection(update)).response['message']).toContain('too large')
    expect((await pictures.getList(1, 1, { filter: 'title = "new"' })).totalItems).toBe(0)
    expect((await ann.collection('albums').getOne(album.id))['pictures']).toBe(50)
  })

  it('takes an id of the client, once', async () => {
    const client = (await openFixture(open)).client()
    const labels = client.collection('labels')
    const id = 'abcdefghijklmno'
    expect((await labels.create({ id, name: 'x' })).id).toBe(id)
    expect(await errorCodes(labels.create({ id, name: 'y' }))).toEqual({
      id: 'validation_not_unique',
    })
    expect(await errorCodes(labels.create({ id: 'short', name: 'y' }))).toEqual({
      id: 'validation_min_text_constraint',
    })
  })

  it('tells all the fields’ errors together', async () => {
    const ann = await (await openFixture(open)).member('ann')
    const album = await ann.collection('albums').create({ name: 'Sea' })
    const create = ann.collection('pictures').create({
      album: album.id,
      title: '<b>',
      stars: 1.5,
      kinds: ['a', 'x'],
      labels: ['nolabelofthisid'],
      data: { long: 'x'.repeat(100) },
      file: 'new.png',
    })
    const error = await rejection(create)
    expect(error.status).toBe(400)
    expect(error.response).toEqual({
      data: {
        title: { code: 'validation_invalid_format', message: 'Invalid value format.' },
        stars: {
          code: 'validation_only_int_constraint',
          message: 'Decimal numbers are not allowed.',
        },
        kinds: {
          code: 'validation_invalid_value',
          message: 'Invalid value x.',
          params: { value: 'x' },
        },
        labels: {
          code: 'validation_missing_rel_records',
          message: 'Failed to find all relation records with the provided ids.',
        },
        data: {
          code: 'validation_json_size_limit',
          message: 'The maximum allowed JSON size is 100 bytes.',
          params: { maxSize: 100 },
        },
        file: {
          code: 'validation_invalid_file',
          message: 'Invalid new files: [new.png].',
          params: { invalidFiles: ['new.png'] },
        },
      },
      message: 'Failed to create record.',
      status: 400,
    })
  })

  it('tells what is wrong with an account all at once, after its hooks', async () => {
    const readers = collection({
      name: 'readers',
      type: 'auth',
      fields: [
        { name: 'handle', type: 'text', required: true, max: 9 },
        { name: 'label', type: 'relation', collection: 'labels' },
      ],
      rules: { list: '', view: '', create: '', update: 'id = @request.auth.id', delete: null },
      auth: { ...schema.get('members').auth!, mfa: { life: 0 } },
    })
    const prepare: Hooks['prepare'] = ({ after }) => {
      after!['handle'] ||= 'made up'
      if (after!['handle'] === 'rude')
        throw new ApiError(400, 'Please be kind.', { handle: { code: 'rude', message: 'No.' } })
    }
    const fixture = await openFixture(open, {
      schema: new Schema([readers, schema.get('labels')]),
      hooks: { readers: { prepare } },
    })
    const pb = fixture.client()
    const form = (secret: string, more: object) => ({
      email: 'ann@example.org',
      password: secret,
      passwordConfirm: secret,
      ...more,
    })
    const create = (secret: string, more: object) =>
      errorCodes(pb.collection('readers').create(form(secret, more)))
    const label = 'nolabelofthisid'
    const short = { password: 'validation_min_text_constraint' }
    const missing = { label: 'validation_missing_rel_records' }
    expect(await create('short', { label })).toEqual({ ...short, ...missing })
    expect(await create('short', {})).toEqual(short)
    expect(await create('short', { handle: 'much too long', email: 'no' })).toEqual({
      ...short,
      handle: 'validation_max_text_constraint',
      email: 'validation_is_email',
    })
    expect(await create('short', { handle: 'rude' })).toEqual({ ...short, handle: 'rude' })
    expect(await create(password, { label })).toEqual(missing)
    expect(await create('', { label })).toEqual({
      password: 'validation_required',
      passwordConfirm: 'validation_required',
    })
    const { id } = await pb.collection('readers').create(form(password, {}))
    await pb.collection('readers').authWithPassword('ann@example.org', password)
    const change = (secret: string, more: object) =>
      errorCodes(
        pb.collection('readers').update(id, { ...form(secret, more), oldPassword: password }),
      )
    expect(await change('short', { label })).toEqual({ ...short, ...missing })
    expect(await change('short', {})).toEqual(short)
    await pb.collection('readers').authWithPassword('ann@example.org', password)
  })

  it('names every column of a broken unique index', async () => {
    const fixture = await openFixture(open)
    const albums = (await fixture.member('ann')).collection('albums')
    await albums.create({ name: 'Sea' })
    expect(await errorCodes(albums.create({ name: 'Sea' }))).toEqual({
      owner: 'validation_not_unique',
      name: 'validation_not_unique',
    })
    const bob = await fixture.member('bob')
    expect(await bob.collection('albums').create({ name: 'Sea' })).toMatchObject({ name: 'Sea' })
  })

  it('takes any number of empty lists for different ones, and none that is the same', async () => {
    const labels = { name: 'labels', type: 'select', values: ['a', 'b'], maxSelect: 2 } as const
    const own = collection({
      name: 'sets',
      fields: [labels, { name: 'name', type: 'text' }],
      unique: [['labels'], ['name', 'labels']],
      rules: { list: '', view: '', create: '', update: '', delete: '' },
    })
    const fixture = await openFixture(open, { schema: new Schema([own]), hooks: {} })
    const sets = fixture.client().collection('sets')
    const first = await sets.create({ name: 'x', labels: [] })
    const second = await sets.create({ name: 'x' })
    await sets.update(first.id, { labels: ['a'] })
    expect(await errorCodes(sets.update(second.id, { labels: ['a'] }))).toMatchObject({
      labels: 'validation_not_unique',
    })
    expect(await sets.update(first.id, { labels: [] })).toMatchObject({ labels: [] })
  })

  it('keeps the case of an address, but for an account’s own', async () => {
    const cards = collection({
      name: 'cards',
      fields: [{ name: 'contact', type: 'email' }],
      rules: { list: '', view: '', create: '', update: '', delete: '' },
    })
    const both = new Schema([schema.get('members'), cards])
    const fixture = await openFixture(open, { schema: both, hooks: {} })
    const contact = 'Ann.Lee@Example.org'
    const card = await fixture.client().collection('cards').create({ contact })
    expect(card['contact']).toBe(contact)
    const filter = `contact = "${contact}"`
    expect((await fixture.client().collection('cards').getList(1, 1, { filter })).totalItems).toBe(
      1,
    )
    const ann = await fixture.member('Ann')
    expect(ann.me['email']).toBe('ann@example.org')
  })

  it('reads a body that is null as an empty one', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const send = async (method: string, path: string, body: string) => {
      const { token } = ann.authStore
      const headers = { 'Content-Type': 'application/json', Authorization: token }
      const answer = await fixture.fetch(`/api${path}`, { method, headers, body })
      return [answer.status, await answer.json()] as const
    }
    const required = { code: 'validation_required', message: 'Cannot be blank.' }
    expect(await send('POST', '/collections/labels/records', 'null')).toMatchObject([
      400,
      { data: { name: required } },
    ])
    expect(await send('PATCH', `/collections/members/records/${ann.me.id}`, 'null')).toMatchObject([
      200,
      { id: ann.me.id },
    ])
    const form = '/collections/members/auth-with-password'
    expect(await send('POST', form, 'null')).toMatchObject([
      400,
      { data: { identity: required, password: required } },
    ])
    for (const body of ['null', '{"requests":null}'])
      expect(await send('POST', '/batch', body)).toMatchObject([
        400,
        { data: { requests: required } },
      ])
  })

  it('answers everything where the fields to answer are none', async () => {
    const client = (await openFixture(open)).client()
    const all = await client.collection('labels').create({ name: 'x' })
    for (const fields of [',', ' , ,', ''])
      expect(await client.collection('labels').getOne(all.id, { fields })).toEqual(all)
    expect(await client.collection('labels').getOne(all.id, { fields: ',name,,' })).toEqual({
      name: 'x',
    })
  })

  it('refuses what the rule refuses without a word about the fields', async () => {
    const fixture = await openFixture(open)
    const [ann, bob] = [await fixture.member('ann'), await fixture.member('bob')]
    const secret = await ann.collection('albums').create({ name: 'Sea', secret: true })
    const open_ = await ann.collection('albums').create({ name: 'Hills' })
    for (const album of [secret.id, open_.id, 'nosuchalbumhere', ''])
      expect(await statusAndBody(bob.collection('pictures').create({ album, stars: 'x' }))).toEqual(
        [400, notCreated],
      )
    const visitor = fixture.client()
    expect(await statusAndBody(visitor.collection('albums').create({ name: 'Sea' }))).toEqual([
      400,
      notCreated,
    ])
    const foreign = { name: 'Mine', owner: ann.me.id }
    expect(await statusAndBody(bob.collection('albums').create(foreign))).toEqual([400, notCreated])
  })

  it('refuses nil rules, unknown collections and damaged bodies in that order', async () => {
    const fixture = await openFixture(open)
    const client = fixture.client()
    expect((await rejection(client.collection('locked').create({ word: 'x' }))).response).toEqual({
      data: {},
      message: 'Only superusers can perform this action.',
      status: 403,
    })
    expect((await rejection(client.collection('nothing').create({}))).response).toEqual({
      data: {},
      message: 'Missing or invalid collection context.',
      status: 404,
    })
    const post = (body: string, type = 'application/json') =>
      fixture.fetch('/api/collections/locked/records', {
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
      })
    for (const body of ['{', '[]', 'nul', '"x"', '{"__proto__":{"x":1}}', '{"a":"\\u0000"}'])
      expect((await post(body)).status, body).toBe(400)
    expect(await (await post('x', 'text/plain')).json()).toMatchObject({
      message: 'Unsupported Content-Type.',
    })
    expect((await post(`{"a":"${'x'.repeat(2_000_000)}"}`)).status).toBe(413)
  })

  it('refuses characters that cannot be kept', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const album = (await ann.collection('albums').create({ name: 'Sea' })).id
    const create = async (body: object) =>
      (await rejection(ann.collection('pictures').create({ album, title: 'Sea', ...body })))
        .response
    const format = { code: 'validation_invalid_format' }
    const json = { code: 'validation_invalid_json' }
    for (const bad of ['\0', '\uD800', '\uDC00x']) {
      expect(await create({ title: `a${bad}` })).toMatchObject({ data: { title: format } })
      expect(await create({ data: { a: [bad] } })).toMatchObject({ data: { data: json } })
      expect((await create({ album: bad })).status).toBe(400)
    }
  })

  it('coerces forms as it does JSON', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const album = await ann.collection('albums').create({ name: 'Sea' })
    const form = new FormData()
    form.set('album', album.id)
    form.set('title', '0001')
    form.set('stars', '7')
    form.set('isPrint', 'true')
    form.set('taken', '2024-02-29T10:00:00+02:00')
    form.append('kinds', 'a')
    form.append('kinds', 'b')
    form.set('@jsonPayload', '{"data":{"n":1.5},"mood":"calm"}')
    expect(await ann.collection('pictures').create(form)).toMatchObject({
      title: '0001',
      stars: 7,
      isPrint: true,
      taken: '2024-02-29 08:00:00.000Z',
      kinds: ['a', 'b'],
      data: { n: 1.5 },
      mood: 'calm',
      labels: [],
      next: '',
    })
    const encoded = await fixture.fetch('/api/collections/labels/records', {
      method: 'POST',
      body: new URLSearchParams({ name: '12' }),
    })
    expect(await encoded.json()).toMatchObject({ name: '12' })
  })

  it('says that a picture cannot be stored rather than dropping it', async () => {
    const ann = await (await openFixture(open)).member('ann')
    const album = await ann.collection('albums').create({ name: 'Sea' })
    const file = new File(['x'], 'x.png')
    expect(await errorCodes(ann.collection('pictures').create({ album: album.id, file }))).toEqual({
      file: 'validation_invalid_file',
    })
  })
})

describeDatabases('update', (open) => {
  async function start() {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const album = await ann.collection('albums').create({ name: 'Sea' })
    const pictures = ann.collection('pictures')
    const picture = await pictures.create({ album: album.id, title: 'one', stars: 5 })
    return { fixture, ann, album, pictures, picture }
  }

  it('changes what is named, and nothing else', async () => {
    const { fixture, pictures, picture } = await start()
    fixture.wait(60)
    const changed = await pictures.update(picture.id, {
      title: 'two',
      id: picture.id,
      created: '2000-01-01 00:00:00.000Z',
      unknown: 1,
    })
    expect(changed).toMatchObject({ ...picture, title: 'two', updated: changed['updated'] })
    expect(changed['updated'] > picture['updated']).toBe(true)
  })

  it('keeps its id, and reports that together with other errors', async () => {
    const { fixture, ann, pictures, picture } = await start()
    const error = {
      code: 'validation_pk_change',
      message: 'The record primary key cannot be changed.',
    }
    const data = { id: error }
    const answer = [400, { data, message: 'Failed to update record.', status: 400 }]
    for (const id of ['anotheridoffive', '', null, 5, 'short'])
      expect(await statusAndBody(pictures.update(picture.id, { id, title: 'two' }))).toEqual(answer)
    expect(await statusAndBody(pictures.update(picture.id, { id: 'anotheridoffive' }))).toEqual(
      answer,
    )
    expect(await statusAndBody(pictures.update(picture.id, { 'id:autogenerate': '' }))).toEqual(
      answer,
    )
    expect(await errorCodes(pictures.update(picture.id, { id: 'other', stars: -1 }))).toEqual({
      id: 'validation_pk_change',
      stars: 'validation_min_number_constraint',
    })
    expect(await pictures.getOne(picture.id)).toEqual(picture)
    const me = ann.collection('members')
    expect(await errorCodes(me.update(ann.me.id, { id: 'anotheridoffive', name: 'x' }))).toEqual({
      id: 'validation_pk_change',
    })
    expect(await me.update(ann.me.id, { id: ann.me.id, name: 'x' })).toMatchObject({ name: 'x' })
    // Who may not change a record at all learns nothing of that.
    const stranger = fixture.client().collection('pictures')
    expect(await statusAndBody(stranger.update(picture.id, { id: 'other' }))).toEqual([
      404,
      notFound,
    ])
  })

  it('leaves a record that does not differ as it is', async () => {
    const { fixture, pictures, picture } = await start()
    fixture.wait(60)
    expect(await pictures.update(picture.id, { title: 'one', stars: '5' })).toEqual(picture)
  })

  it('applies modifiers to what is stored', async () => {
    const { ann, pictures, picture } = await start()
    const labels = await Promise.all(
      ['x', 'y', 'z'].map((name) => ann.collection('labels').create({ name })),
    )
    const [x, y, z] = labels.map((label) => label.id)
    await pictures.update(picture.id, { labels: [x], 'stars+': 3, kinds: ['a', 'b'] })
    expect(
      await pictures.update(picture.id, {
        'labels+': [y],
        '+labels': z,
        'stars-': 1,
        'kinds-': 'a',
      }),
    ).toMatchObject({ labels: [z, x, y], stars: 7, kinds: ['b'] })
    expect(await errorCodes(pictures.update(picture.id, { 'stars+': 500 }))).toEqual({
      stars: 'validation_max_number_constraint',
    })
  })

  it('loses none of a hundred parallel increments', async () => {
    const { pictures, picture } = await start()
    await Promise.all(
      Array.from({ length: 100 }, () => pictures.update(picture.id, { 'stars+': 1 })),
    )
    expect((await pictures.getOne(picture.id))['stars']).toBe(105)
  })

  it('keeps two changes of different fields apart', async () => {
    const { pictures, picture } = await start()
    for (let i = 0; i < 10; i++) {
      await Promise.all([
        pictures.update(picture.id, { title: `t${i}` }),
        pictures.update(picture.id, { stars: i + 10 }),
      ])
      expect(await pictures.getOne(picture.id)).toMatchObject({ title: `t${i}`, stars: i + 10 })
    }
  })

  it('is the same 404 for a foreign, a hidden and a missing record, whatever the body', async () => {
    const { fixture, ann, album, picture } = await start()
    const bob = await fixture.member('bob')
    await ann.collection('albums').update(album.id, { secret: true })
    for (const who of [bob, fixture.client()])
      for (const id of [picture.id, 'nosuchpicture12', 'a%00b', '..'])
        for (const body of [{ title: '<' }, { stars: 1 }, {}])
          expect(await statusAndBody(who.collection('pictures').update(id, body))).toEqual([
            404,
            notFound,
          ])
    expect((await rejection(bob.collection('locked').update('x', {}))).status).toBe(403)
  })

  it('refuses to move a record to what the caller may not see', async () => {
    const { fixture, pictures, picture, album } = await start()
    const bob = await fixture.member('bob')
    const secret = await bob.collection('albums').create({ name: 'Mine', secret: true })
    const answers = await Promise.all(
      [secret.id, 'nosuchalbumhere'].map((id) =>
        statusAndBody(pictures.update(picture.id, { album: id })),
      ),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject([
      400,
      { data: { album: { code: 'validation_missing_rel_records' } } },
    ])
    expect(await pictures.getOne(picture.id)).toMatchObject({ album: album.id })
  })

  it('takes the server’s numbers from the server alone', async () => {
    const { ann, album } = await start()
    const albums = ann.collection('albums')
    expect(await albums.update(album.id, { pictures: 99, 'pictures+': 5 })).toMatchObject({
      pictures: 1,
    })
  })
})

describeDatabases('delete', (open) => {
  it('deletes the dependants of the record, and empties other relations to it', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const pictures = ann.collection('pictures')
    const sea = await ann.collection('albums').create({ name: 'Sea' })
    const hills = await ann.collection('albums').create({ name: 'Hills' })
    const x = await ann.collection('labels').create({ name: 'x' })
    const y = await ann.collection('labels').create({ name: 'y' })
    const gone = await pictures.create({ album: sea.id })
    const kept = await pictures.create({ album: hills.id, next: gone.id, labels: [x.id, y.id] })
    await ann.collection('albums').delete(sea.id)
    await ann.collection('labels').delete(x.id)
    expect(await statusAndBody(pictures.getOne(gone.id))).toEqual([404, notFound])
    expect(await pictures.getOne(kept.id)).toMatchObject({ next: '', labels: [y.id] })
    expect(await ann.collection('albums').getOne(hills.id)).toMatchObject({ pictures: 1 })
  })

  it('is refused, whole, while a required relation names a part of it', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const sea = await ann.collection('albums').create({ name: 'Sea' })
    const picture = await ann.collection('pictures').create({ album: sea.id })
    const caption = await ann.collection('captions').create({ picture: picture.id, text: 'hm' })
    expect(await statusAndBody(ann.collection('albums').delete(sea.id))).toEqual([
      400,
      {
        data: {},
        message:
          'Failed to delete record. Make sure that the record is not part of a required relation reference.',
        status: 400,
      },
    ])
    expect(await ann.collection('pictures').getOne(picture.id)).toMatchObject({ album: sea.id })
    await ann.collection('captions').delete(caption.id)
    await ann.collection('albums').delete(sea.id)
  })

  it('is the same 404 for a foreign and a missing record', async () => {
    const fixture = await openFixture(open)
    const [ann, bob] = [await fixture.member('ann'), await fixture.member('bob')]
    const sea = await ann.collection('albums').create({ name: 'Sea' })
    for (const id of [sea.id, 'nosuchalbumhere'])
      expect(await statusAndBody(bob.collection('albums').delete(id))).toEqual([404, notFound])
    expect((await rejection(bob.collection('locked').delete('x'))).status).toBe(403)
    expect((await fixture.fetch('/api/nothing')).status).toBe(404)
    expect(
      (await fixture.fetch(`/api/collections/albums/records/${sea.id}`, { method: 'PUT' })).status,
    ).toBe(404)
  })

  it('ends the account with everything that is its own', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const sea = await ann.collection('albums').create({ name: 'Sea' })
    await ann.collection('pictures').create({ album: sea.id })
    const mfaId = await passwordStep(fixture.client(), 'ann@example.org')
    await ann.collection('members').requestOTP('ann@example.org', { mfaId })
    await ann.collection('members').requestPasswordReset('ann@example.org')
    await nextMail(fixture, 'passwordReset')
    await fixture.database.transaction((tx) =>
      tx.query(
        `INSERT INTO "_externalAuths" (id, collection, record, provider, "providerId", created)
          VALUES ('x', '${ann.me.collectionId}', '${ann.me.id}', 'google', '1', 0)`,
      ),
    )
    const token = ann.authStore.token
    await ann.collection('members').delete(ann.me.id)
    const after = fixture.client()
    after.authStore.save(token)
    expect((await rejection(after.collection('members').authRefresh())).status).toBe(401)
    for (const name of ['members', 'albums', 'pictures'])
      expect((await after.collection(name).getList()).totalItems, name).toBe(0)
    for (const name of ['sessions', 'otps', 'mfas', 'devices', 'mailLinks', 'externalAuths'])
      expect(await fixture.database.query(`SELECT id FROM "_${name}"`), name).toEqual([])
    expect(await fixture.database.query('SELECT id FROM "_authOrigins"')).toEqual([])
  })
})

describeDatabases('hooks', (open) => {
  it('set fields and refuse changes before anything is written', async () => {
    const labels = (await openFixture(open)).client().collection('labels')
    const label = await labels.create({ name: '  sea ' })
    expect(label).toMatchObject({ name: 'sea' })
    expect(await errorCodes(labels.create({ name: '   ' }))).toEqual({
      name: 'validation_required',
    })
    expect(await statusAndBody(labels.update(label.id, { name: ' rude' }))).toEqual([
      400,
      {
        data: { name: { code: 'validation_not_in_invalid', message: 'Please be kind.' } },
        message: 'Failed to update record.',
        status: 400,
      },
    ])
    expect(await labels.getOne(label.id)).toMatchObject({ name: 'sea' })
  })

  it('keep their counts under parallel writes', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const album = await ann.collection('albums').create({ name: 'Sea' })
    const pictures = ann.collection('pictures')
    const made = await Promise.all(
      Array.from({ length: 12 }, () => pictures.create({ album: album.id })),
    )
    await Promise.all(made.slice(0, 5).map((picture) => pictures.delete(picture.id)))
    expect(await ann.collection('albums').getOne(album.id)).toMatchObject({ pictures: 7 })
  })
})

describeDatabases('creating and deleting at the same time', (open) => {
  it('leaves nothing that names what is gone', async () => {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const pictures = ann.collection('pictures')
    for (let round = 0; round < 8; round++) {
      const album = await ann.collection('albums').create({ name: `Sea ${round}` })
      const creates = Array.from({ length: 6 }, () =>
        pictures.create({ album: album.id }).catch(() => undefined),
      )
      await Promise.all([...creates, ann.collection('albums').delete(album.id)])
    }
    const [row] = await fixture.database.query(
      'SELECT COUNT(*) FROM pictures WHERE album NOT IN (SELECT id FROM albums)',
    )
    expect(Number(row![0])).toBe(0)
    expect(fixture.errors).toEqual([])
  })
})

describeDatabases('writing as the server', (open) => {
  it('needs no rule, keeps validation, and undoes everything on a throw', async () => {
    const fixture = await openFixture(open)
    const { records } = fixture
    const ann = await fixture.member('ann')
    const album = await records.write((tx) =>
      tx.create('albums', { name: 'Sea', owner: ann.me.id, pictures: 3 }),
    )
    expect(await records.find('albums', album.id)).toMatchObject({ pictures: 3 })
    await expect(
      records.write(async (tx) => {
        await tx.update('albums', album.id, { name: 'Hills' })
        await tx.create('labels', { name: '' })
      }),
    ).rejects.toMatchObject({ status: 400, data: { name: { code: 'validation_required' } } })
    expect(await records.find('albums', album.id)).toMatchObject({ name: 'Sea' })
    await records.write((tx) => tx.delete('albums', album.id))
    expect(await records.find('albums', album.id)).toBeNull()
    await expect(records.write((tx) => tx.delete('albums', album.id))).rejects.toMatchObject({
      status: 404,
    })
  })
})
