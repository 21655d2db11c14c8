import PocketBase from 'pocketbase'
import PocketBase026 from 'pocketbase-0.26'
import { expect, it } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { collectEvents, serveFixture, realtimeClient } from './realtime-client.ts'
import { openFixture, rejection, type Fixture } from './fixture.ts'

const notFound = { data: {}, message: "The requested resource wasn't found.", status: 404 }
const albums = '/api/collections/albums/records'
const pictures = '/api/collections/pictures/records'
const labels = '/api/collections/labels/records'

interface Part {
  method?: unknown
  url?: unknown
  headers?: unknown
  body?: unknown
}

/** A batch as it is, without a client. */
async function post(fixture: Fixture, requests: unknown, token = '') {
  const response = await fixture.fetch('/api/batch', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: token },
    body: JSON.stringify({ requests }),
  })
  return { status: response.status, body: (await response.json()) as unknown, response }
}

function failure(index: number, response: unknown) {
  return {
    data: {
      requests: {
        [index]: { code: 'batch_request_failed', message: 'Batch request failed.', response },
      },
    },
    message: 'Batch transaction failed.',
    status: 400,
  }
}

async function count(fixture: Fixture, table: string): Promise<number> {
  const [row] = await fixture.database.query(`SELECT COUNT(*) FROM ${table}`)
  return Number(row![0])
}

describeDatabases('a batch', (open) => {
  async function start() {
    const fixture = await openFixture(open)
    const ann = await fixture.member('ann')
    const album = await ann.collection('albums').create({ name: 'Sea' })
    return { fixture, ann, album, token: ann.authStore.token }
  }

  it.each([
    ['a record it names', labels, { labels: 'validation_missing_rel_records' }],
    ['the album its rule asks about', albums, {}],
  ])('asks again about %s when the batch has deleted it', async (_, url, fields) => {
    const { fixture, ann, album, token } = await start()
    const label = await ann.collection('labels').create({ name: 'Blue' })
    const body = { album: album.id, title: 'Wave', labels: [label.id] }
    const create = { method: 'POST', url: pictures, body }
    const gone = { method: 'DELETE', url: `${url}/${url === labels ? label.id : album.id}` }
    expect((await post(fixture, [create, create], token)).status).toBe(200)
    const { status, body: refused } = await post(fixture, [create, create, gone, create], token)
    expect(status).toBe(400)
    const data = Object.fromEntries(
      Object.entries(fields).map(([name, code]) => [name, expect.objectContaining({ code })]),
    )
    expect(refused).toEqual(failure(3, expect.objectContaining({ status: 400, data })))
    expect(await count(fixture, 'pictures')).toBe(2)
  })

  it('refuses included records that are too much together, and writes nothing', async () => {
    const { fixture, ann, album, token } = await start()
    const made = Array.from({ length: 50 }, (_, i) => ({
      method: 'POST',
      url: pictures,
      body: { album: album.id, title: `p${i}` },
    }))
    const { body } = await post(fixture, made, token)
    const ids = (body as { body: { id: string } }[]).map(({ body: { id } }) => id)
    const expand = 'album.pictures_via_album.album.pictures_via_album'
    const changes = ids.map((id) => ({
      method: 'PATCH',
      url: `${pictures}/${id}?expand=${expand}`,
      body: { title: 'new' },
    }))
    expect((await post(fixture, changes.slice(0, 1), token)).status).toBe(200)
    expect(await post(fixture, changes.slice(1), token)).toMatchObject({
      status: 400,
      body: { message: 'Batch transaction failed.' },
    })
    const { totalItems } = await ann.collection('pictures').getList(1, 1, {
      filter: 'title = "new"',
    })
    expect(totalItems).toBe(1)
  })

  it.each([
    ['the newest client', PocketBase],
    ['the client of 0.26', PocketBase026],
  ])('creates, updates, upserts and deletes in order with %s', async (_, Client) => {
    const { fixture, ann, album } = await start()
    const picture = await ann.collection('pictures').create({ album: album.id, title: 'old' })
    const client = new Client('http://app.test')
    client.authStore.save(ann.authStore.token, ann.authStore.record)
    client.beforeSend = (url: string, options: object) => ({
      url,
      options: {
        ...options,
        fetch: async (input: string | URL | Request, init?: RequestInit) =>
          fixture.app.request(input, init),
      },
    })
    const batch = client.createBatch()
    batch.collection('albums').create({ id: 'abcdeabcdeabcde', name: 'Hills' })
    batch
      .collection('pictures')
      .create({ album: 'abcdeabcdeabcde', title: 'new' }, { expand: 'album' })
    batch.collection('pictures').update(picture.id, { title: 'changed' }, { fields: 'title,stars' })
    batch.collection('albums').upsert({ id: 'abcdeabcdeabcde', name: 'Mountains' })
    batch.collection('labels').upsert({ id: 'fghijfghijfghij', name: 'blue' })
    batch.collection('labels').upsert({ name: 'green' })
    batch.collection('pictures').delete(picture.id)
    const results = await batch.send()
    expect(results).toMatchObject([
      {
        status: 200,
        body: { id: 'abcdeabcdeabcde', name: 'Hills', owner: ann.me.id, pictures: 0 },
      },
      { status: 200, body: { title: 'new', expand: { album: { name: 'Hills' } } } },
      { status: 200, body: { title: 'changed', stars: 0 } },
      { status: 200, body: { name: 'Mountains', pictures: 1 } },
      { status: 200, body: { id: 'fghijfghijfghij', name: 'blue' } },
      { status: 200, body: { name: 'green' } },
      { status: 204, body: null },
    ])
    expect(Object.keys(results[2]!.body as object)).toEqual(['stars', 'title'])
    expect(await ann.collection('pictures').getFullList()).toMatchObject([{ title: 'new' }])
  })

  it('fails whole, and names the first failing request alone', async () => {
    const { fixture, ann, album, token } = await start()
    const bob = await fixture.member('bob')
    const before = await ann.collection('albums').getOne(album.id)
    const answer = await post(
      fixture,
      [
        { method: 'POST', url: pictures, body: { album: album.id } },
        { method: 'PATCH', url: `${albums}/${album.id}`, body: { name: 'Hills' } },
        { method: 'POST', url: labels, body: { name: '' } },
        { method: 'PATCH', url: `${albums}/nosuchalbumhere`, body: {} },
      ],
      token,
    )
    expect(answer).toMatchObject({
      status: 400,
      body: failure(2, {
        data: { name: { code: 'validation_required', message: 'Cannot be blank.' } },
        message: 'Failed to create record.',
        status: 400,
      }),
    })
    expect(await ann.collection('albums').getOne(album.id)).toEqual(before)
    expect(await count(fixture, 'pictures')).toBe(0)
    // Who asks is the batch's own; what a request inside claims is nothing.
    const foreign = await post(
      fixture,
      [
        {
          method: 'DELETE',
          url: `${albums}/${album.id}`,
          headers: { Authorization: token, Cookie: `pb_auth=${token}` },
        },
      ],
      bob.authStore.token,
    )
    expect(foreign).toMatchObject({ status: 400, body: failure(0, notFound) })
  })

  it('R9: stores nothing and sends no event, whichever of fifty requests fails', async () => {
    const { fixture, token } = await start()
    const heard = await collectEvents(realtimeClient(await serveFixture(fixture)), 'labels', '*')
    const before = await count(fixture, 'labels')
    for (let failing = 0; failing < 50; failing++) {
      const requests = Array.from({ length: 50 }, (_, n) => ({
        method: 'POST',
        url: labels,
        body: { name: n === failing ? '' : `label ${n}` },
      }))
      const { status, body } = await post(fixture, requests, token)
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { data: { requests: { [failing]: { code: 'batch_request_failed' } } } },
      })
    }
    expect(await count(fixture, 'labels')).toBe(before)
    const last = { method: 'POST', url: labels, body: { name: 'last' } }
    expect((await post(fixture, [last], token)).status).toBe(200)
    expect(await heard.next()).toBe('create last')
    expect(heard.events).toHaveLength(1)
  })

  it('is told of once it is whole, and not at all if it fails', async () => {
    const { fixture, ann } = await start()
    const heard = await collectEvents(realtimeClient(await serveFixture(fixture)), 'labels', '*')
    const failing = ann.createBatch()
    failing.collection('labels').create({ name: 'never' })
    failing.collection('labels').create({ name: 'rude' })
    expect((await rejection(failing.send())).status).toBe(400)
    const good = ann.createBatch()
    good.collection('labels').create({ id: 'fghijfghijfghij', name: 'first' })
    good.collection('labels').update('fghijfghijfghij', { name: 'last' })
    good.collection('labels').create({ id: 'klmnoklmnoklmno', name: 'gone' })
    good.collection('labels').delete('klmnoklmnoklmno')
    good.collection('labels').create({ name: 'end' })
    await good.send()
    expect([await heard.next(), await heard.next()]).toEqual(['create last', 'create end'])
    expect(heard.events).toHaveLength(2)
  })

  it('holds the refusals that single requests have', async () => {
    const { fixture, album, token } = await start()
    const bob = await fixture.member('bob')
    const refusedAs = async (part: Part, who: string) => {
      const { status, body } = await post(fixture, [part], who)
      expect(status).toBe(400)
      const data = (body as { data: { requests: Record<string, { response: object }> } }).data
      return data.requests['0']!.response
    }
    const cases: [Part, number][] = [
      [{ method: 'POST', url: albums, body: { name: 'x' } }, 400],
      [{ method: 'POST', url: pictures, body: { album: album.id } }, 400],
      [{ method: 'PATCH', url: `${albums}/${album.id}`, body: { name: '' } }, 404],
      [{ method: 'DELETE', url: `${albums}/${album.id}` }, 404],
      [{ method: 'POST', url: '/api/collections/locked/records', body: {} }, 403],
      [{ method: 'DELETE', url: '/api/collections/nothing/records/x' }, 404],
    ]
    for (const who of ['', bob.authStore.token])
      for (const [part, status] of cases) {
        const single = await fixture.fetch(String(part.url), {
          method: String(part.method),
          headers: { 'Content-Type': 'application/json', Authorization: who },
          ...(part.body ? { body: JSON.stringify(part.body) } : {}),
        })
        expect(single.status, JSON.stringify(part)).toBe(status)
        expect(await refusedAs(part, who)).toEqual(await single.json())
      }
    expect(
      await refusedAs({ method: 'PUT', url: albums, body: { id: album.id } }, bob.authStore.token),
    ).toEqual(notFound)
    for (const method of ['POST', 'PUT'])
      expect(await refusedAs({ method, url: '/api/collections/nothing/records' }, '')).toEqual({
        data: {},
        message: 'Missing collection context.',
        status: 404,
      })
    expect(token).not.toBe('')
  })

  it.each([
    ['GET', labels],
    ['GET', `${labels}/abcdeabcdeabcde`],
    ['POST', `${labels}/abcdeabcdeabcde`],
    ['PATCH', labels],
    ['DELETE', labels],
    ['PUT', `${labels}/abcdeabcdeabcde`],
    ['POST', '/api/batch'],
    ['POST', '/api/realtime'],
    ['POST', '/api/collections/members/auth-with-password'],
    ['POST', '/api/collections/members/auth-refresh'],
    ['POST', `http://app.test${labels}`],
    ['POST', `//app.test${labels}`],
    ['POST', `/v1/..${labels}`],
    ['POST', `${labels}/`],
    ['POST', `${labels}#x`],
    ['POST', labels.toUpperCase()],
    ['POST', '/api/collections/labels/../labels/records'],
    ['POST', '/api/collections/%00/records'],
    ['POST', '/api/collections/%zz/records'],
    ['DELETE', `${labels}/a%00b`],
    ['POST', 'api/collections/labels/records'],
  ])('may not hold %s %s', async (method, url) => {
    const { fixture, token } = await start()
    const { status, body } = await post(
      fixture,
      [
        { method: 'POST', url: labels, body: { name: 'blue' } },
        { method, url, body: { name: 'green' } },
      ],
      token,
    )
    expect(status).toBe(400)
    expect(body).toEqual(
      failure(1, {
        data: {},
        message: 'Something went wrong while processing your request.',
        status: 400,
      }),
    )
    expect(await count(fixture, 'labels')).toBe(0)
  })

  it('says what is wrong with its list', async () => {
    const { fixture } = await start()
    const create = { method: 'POST', url: labels, body: { name: 'x' } }
    const invalid = (requests: unknown) => ({
      status: 400,
      body: { data: { requests }, message: 'Invalid batch request data.', status: 400 },
    })
    const required = { code: 'validation_required', message: 'Cannot be blank.' }
    for (const none of [undefined, []])
      expect(await post(fixture, none)).toMatchObject(invalid(required))
    expect(
      await post(
        fixture,
        Array.from({ length: 51 }, () => create),
      ),
    ).toMatchObject(
      invalid({
        code: 'validation_length_too_long',
        message: 'The length must be no more than 50.',
        params: { max: 50, min: 0 },
      }),
    )
    expect(
      await post(fixture, [create, {}, { method: 'post', url: `${labels}?${'x'.repeat(2000)}` }]),
    ).toMatchObject(
      invalid({
        1: { method: required, url: required },
        2: {
          method: { code: 'validation_in_invalid', message: 'Must be a valid value.' },
          url: { code: 'validation_length_too_long' },
        },
      }),
    )
    const unreadable = {
      data: {},
      message: 'Failed to read the submitted batch data.',
      status: 400,
    }
    for (const wrong of [
      'x',
      { 0: create },
      [1],
      [[]],
      [{ ...create, body: 'x' }],
      [{ method: 1 }],
    ])
      expect(await post(fixture, wrong)).toMatchObject({ status: 400, body: unreadable })
    const damaged = await fixture.fetch('/api/batch', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{',
    })
    expect(await damaged.json()).toEqual(unreadable)
    expect(
      await post(
        fixture,
        Array.from({ length: 50 }, () => create),
      ),
    ).toMatchObject({ status: 200 })
    expect(await count(fixture, 'labels')).toBe(50)
  })

  it('takes forms, and shapes each answer by its own address', async () => {
    const { fixture } = await start()
    const form = new FormData()
    form.append(
      '@jsonPayload',
      JSON.stringify({
        requests: [
          { method: 'POST', url: `${labels}?fields=name&fields=id`, body: { name: '<b>' } },
        ],
      }),
    )
    const response = await fixture.fetch('/api/batch', { method: 'POST', body: form })
    expect(await response.text()).toBe('[{"body":{"name":"\\u003cb\\u003e"},"status":200}]\n')
    expect(
      await post(fixture, [
        { method: 'POST', url: labels, body: { name: 'x' } },
        { method: 'POST', url: `${labels}?fields=name:nothing()`, body: { name: 'y' } },
      ]),
    ).toMatchObject({ status: 400, body: { message: 'Batch transaction failed.' } })
    expect(await count(fixture, 'labels')).toBe(1)
  })

  it('signs up and changes a password beside other writes', async () => {
    const { fixture, ann } = await start()
    const secret = 'another horse'
    const batch = fixture.client().createBatch()
    batch.collection('members').create({
      email: 'cleo@example.org',
      password: secret,
      passwordConfirm: secret,
    })
    batch.collection('labels').create({ name: 'x' })
    expect(await batch.send()).toMatchObject([{ status: 200 }, { status: 200 }])
    const own = ann.createBatch()
    own.collection('labels').create({ name: 'y' })
    own.collection('members').update(ann.me.id, {
      password: secret,
      passwordConfirm: secret,
      oldPassword: 'wrong',
    })
    expect((await rejection(own.send())).response).toEqual(
      failure(1, {
        data: {
          oldPassword: {
            code: 'validation_invalid_old_password',
            message: 'Missing or invalid old password.',
          },
        },
        message: 'Failed to update record.',
        status: 400,
      }),
    )
    expect(await count(fixture, 'labels')).toBe(1)
  })

  it('keeps counts whole when batches cross each other', async () => {
    const { fixture, ann, album } = await start()
    const hills = await ann.collection('albums').create({ name: 'Hills' })
    const crossing = Array.from({ length: 4 }, (_, i) => {
      const batch = ann.createBatch()
      const order = i % 2 ? [album.id, hills.id] : [hills.id, album.id]
      for (const id of order) batch.collection('pictures').create({ album: id })
      return batch.send()
    })
    await Promise.all(crossing)
    for (const id of [album.id, hills.id])
      expect(await ann.collection('albums').getOne(id)).toMatchObject({ pictures: 4 })
    expect(fixture.errors).toEqual([])
  })

  it('is stopped when its client has gone', async () => {
    const { fixture } = await start()
    const gone = new AbortController()
    gone.abort()
    const response = await fixture.app.request(
      new Request('http://app.test/api/batch', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ requests: [{ method: 'POST', url: labels, body: { name: 'x' } }] }),
        signal: gone.signal,
      }),
    )
    expect([response.status, await response.json()]).toEqual([
      400,
      { data: {}, message: 'Batch transaction failed.', status: 400 },
    ])
    expect(await count(fixture, 'labels')).toBe(0)
  })
})
