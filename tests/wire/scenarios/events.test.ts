import { isDeepStrictEqual } from 'node:util'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { linesOf, openSubscribers, type Subscribers } from './subscribers.ts'
import { id, openFixture, password, type Fixture, type Caller } from './fixture.ts'

/** Events by who hears them, or those that everybody hears. */
type Expected = string[] | Partial<Record<Caller, string[]>>
type Row = [who: Caller, line: string, send: unknown, status: number, heard: Expected]

const nobody: Expected = []
const ann = (...events: string[]): Expected => ({ ann: events })
const bob = (...events: string[]): Expected => ({ bob: events })
const note = (folder: string, more = {}) => ({
  id: id('n9'),
  folder: id(folder),
  title: 'New',
  ...more,
})

const at = (path: string) => `/api/collections/${path.replace('/', '/records/')}`
const post = (name: string, body: object) => ({ method: 'POST', url: `${at(name)}/records`, body })
const patch = (name: string, short: string, body: object) => ({
  method: 'PATCH',
  url: at(`${name}/${id(short)}`),
  body,
})
const put = (name: string, body: object) => ({ method: 'PUT', url: `${at(name)}/records`, body })
const drop = (name: string, short: string) => ({
  method: 'DELETE',
  url: at(`${name}/${id(short)}`),
})
const batch = (...requests: object[]) => ({ requests })

describeDatabases('who is told of', (openDatabase) => {
  let fixture: Fixture
  let subscribers: Subscribers
  beforeAll(async () => {
    fixture = await openFixture(await openDatabase())
    subscribers = await openSubscribers(fixture)
    return () => fixture.records.close()
  })
  beforeEach(() => fixture.reset())

  const rows = (table: Row[]) =>
    test.each(table)('"%s" %s %j: %i', async (who, line, send, status, expected) => {
      const outcome = await outcomeOf(() => fixture.ask(who, line, send))
      expect(outcome).toEqual(told(status, expected))
    })

  /** What was answered, who was told what, and what of it was not as a view shows it to them. */
  async function outcomeOf(act: () => Promise<{ status: number }>) {
    const { status } = await act()
    const heard = await subscribers.received()
    const wrong: string[] = []
    for (const who of ['', 'ann', 'bob'] as const)
      for (const { line, record } of heard[who].filter((one) => !one.line.startsWith('delete'))) {
        const seen = await fixture.ask(who, `GET ${String(record['collectionName'])}/${record.id}`)
        if (!isDeepStrictEqual(record, seen.json)) wrong.push(`"${who}": ${line}`)
      }
    return { status, heard: linesOf(heard), wrong }
  }

  const told = (status: number, expected: Expected) => ({
    status,
    heard: { '': sorted(expected, ''), ann: sorted(expected, 'ann'), bob: sorted(expected, 'bob') },
    wrong: [],
  })
  const sorted = (expected: Expected, who: Caller) =>
    ((Array.isArray(expected) ? expected : expected[who]) ?? []).toSorted()

  describe('a record that is made', () => {
    rows([
      ['ann', 'POST notes', note('open'), 200, ['create notes/n9']],
      ['ann', 'POST notes', note('shut'), 200, ann('create notes/n9')],
      ['bob', 'POST notes', note('bobx'), 200, bob('create notes/n9')],
      ['ann', 'POST notes?fields=id', note('open'), 200, ['create notes/n9']],
      ['ann', 'POST notes?fields=id:no()', note('open'), 400, nobody],
      ['bob', 'POST notes', note('open'), 400, nobody],
      ['bob', 'POST notes', note('shut'), 400, nobody],
      ['', 'POST notes', note('open'), 400, nobody],
      ['ann', 'POST notes', note('open', { stars: 9 }), 400, nobody],
      ['ann', 'POST notes', note('open', { id: id('n1') }), 400, nobody],
      ['ann', 'POST notes', note('open', { next: id('n5') }), 400, nobody],
      ['', 'POST tags', { id: id('t9'), name: 'New' }, 200, ['create tags/t9']],
      ['', 'POST tags', { id: id('t9'), name: 'Red' }, 400, nobody],
      ['bob', 'POST folders', { id: id('f9'), name: 'New' }, 200, ['create folders/f9']],
      [
        'bob',
        'POST folders',
        { id: id('f9'), name: 'New', secret: true },
        200,
        bob('create folders/f9'),
      ],
      ['bob', 'POST folders', { id: id('f9'), name: 'New', owner: id('ann') }, 400, nobody],
      ['ann', 'POST vault', { word: 'x' }, 403, nobody],
      ['ann', 'POST digest', { name: 'x' }, 400, nobody],
      ['ann', 'POST nothing', { name: 'x' }, 404, nobody],
    ])
  })

  describe('a record that is changed', () => {
    rows([
      ['ann', 'PATCH notes/{n1}', { title: 'Other' }, 200, ['update notes/n1']],
      ['ann', 'PATCH notes/{n1}', { 'stars-': 1 }, 200, ['update notes/n1']],
      ['ann', 'PATCH notes/{n1}?fields=title', { title: 'Other' }, 200, ['update notes/n1']],
      ['ann', 'PATCH notes/{n1}?fields=title:no()', { title: 'Other' }, 400, nobody],
      ['ann', 'PATCH notes/{n1}', {}, 200, nobody],
      ['ann', 'PATCH notes/{n1}', { title: 'Alpha', serial: 'x', hint: 'x' }, 200, nobody],
      ['ann', 'PATCH notes/{n1}', { stars: 9 }, 400, nobody],
      ['bob', 'PATCH notes/{n1}', { title: 'Other' }, 404, nobody],
      ['', 'PATCH notes/{n1}', { title: 'Other' }, 404, nobody],
      ['ann', 'PATCH notes/{n3}', { title: 'Other' }, 200, ann('update notes/n3')],
      ['bob', 'PATCH notes/{n3}', { title: 'Other' }, 404, nobody],
      // Out of sight: the others are not even told that it goes.
      ['ann', 'PATCH notes/{n1}', { folder: id('shut') }, 200, ann('update notes/n1')],
      ['ann', 'PATCH folders/{open}', { secret: true }, 200, ann('update folders/open')],
      ['bob', 'PATCH folders/{bobs}', { secret: true }, 200, bob('update folders/bobs')],
      // Into sight: a change like any other.
      ['ann', 'PATCH notes/{n3}', { folder: id('open') }, 200, ['update notes/n3']],
      ['ann', 'PATCH folders/{shut}', { secret: false }, 200, ['update folders/shut']],
      ['ann', 'PATCH folders/{open}', { name: 'Shut canary' }, 400, nobody],
      ['', 'PATCH tags/{red}', { 'weight+': 1 }, 200, ['update tags/red']],
      ['', 'PATCH links/{l1}', { text: 'Other' }, 404, nobody],
      ['ann', 'PATCH vault/{v}', { word: 'x' }, 403, nobody],
      ['ann', 'PATCH digest/{open}', { name: 'x' }, 400, nobody],
    ])
  })

  describe('a record that is deleted', () => {
    const tagged = ['delete tags/red', 'update notes/n1', 'update notes/n2']
    const blue = ['delete tags/blue', 'update notes/n1']
    rows([
      ['ann', 'DELETE notes/{n2}', undefined, 204, ['delete notes/n2']],
      [
        'ann',
        'DELETE notes/{n3}',
        undefined,
        204,
        {
          '': ['update notes/n1'],
          bob: ['update notes/n1'],
          ann: ['delete notes/n3', 'update notes/n1'],
        },
      ],
      ['bob', 'DELETE notes/{n2}', undefined, 404, nobody],
      ['', 'DELETE notes/{n3}', undefined, 404, nobody],
      ['ann', 'DELETE notes/{n1}', undefined, 400, nobody],
      ['ann', 'DELETE folders/{open}', undefined, 400, nobody],
      ['bob', 'DELETE folders/{bobs}', undefined, 204, ['delete folders/bobs', 'delete notes/n4']],
      [
        'bob',
        'DELETE folders/{bobx}',
        undefined,
        204,
        bob('delete folders/bobx', 'delete notes/n5'),
      ],
      ['', 'DELETE tags/{red}', undefined, 204, tagged],
      [
        '',
        'DELETE tags/{blue}',
        undefined,
        204,
        { '': blue, ann: blue, bob: [...blue, 'update notes/n5'] },
      ],
      ['', 'DELETE links/{l1}', undefined, 204, ['delete links/l1']],
      ['ann', 'DELETE vault/{v}', undefined, 403, nobody],
      ['ann', 'DELETE digest/{open}', undefined, 400, nobody],
    ])
  })

  describe('a batch', () => {
    const tag = { id: id('t9'), name: 'New' }
    rows([
      [
        'ann',
        'POST /batch',
        batch(
          post('notes', note('open')),
          patch('notes', 'n1', { done: false }),
          drop('notes', 'n2'),
        ),
        200,
        ['create notes/n9', 'update notes/n1', 'delete notes/n2'],
      ],
      [
        'ann',
        'POST /batch',
        batch(post('notes', note('shut')), post('tags', tag)),
        200,
        {
          '': ['create tags/t9'],
          bob: ['create tags/t9'],
          ann: ['create notes/n9', 'create tags/t9'],
        },
      ],
      ['', 'POST /batch', batch(put('tags', tag)), 200, ['create tags/t9']],
      [
        '',
        'POST /batch',
        batch(put('tags', { id: id('red'), weight: 9 })),
        200,
        ['update tags/red'],
      ],
      ['', 'POST /batch', batch(put('tags', { id: id('red'), weight: 1 })), 200, nobody],
      [
        '',
        'POST /batch',
        batch(post('tags', tag), patch('tags', 't9', { weight: 2 })),
        200,
        ['create tags/t9'],
      ],
      ['', 'POST /batch', batch(post('tags', tag), drop('tags', 't9')), 200, nobody],
      [
        '',
        'POST /batch',
        batch(patch('tags', 'green', { weight: 9 }), drop('tags', 'green')),
        200,
        {
          '': ['delete tags/green'],
          bob: ['delete tags/green'],
          ann: ['delete tags/green', 'update notes/n3'],
        },
      ],
      // One that fails takes the others with it.
      ['', 'POST /batch', batch(post('tags', tag), post('tags', tag)), 400, nobody],
      ['', 'POST /batch', batch(post('tags', tag), drop('notes', 'n1')), 400, nobody],
      ['bob', 'POST /batch', batch(drop('folders', 'bobs'), patch('notes', 'n1', {})), 400, nobody],
      ['ann', 'POST /batch', batch(post('notes', note('open')), post('vault', {})), 400, nobody],
      [
        '',
        'POST /batch',
        batch(post('tags', tag), { method: 'GET', url: at('tags') }),
        400,
        nobody,
      ],
    ])

    test('of a form', async () => {
      const form = new FormData()
      form.set('@jsonPayload', JSON.stringify(batch(post('tags', { id: id('t9'), name: 'New' }))))
      expect(await outcomeOf(() => fixture.ask('', 'POST /batch', form))).toEqual(
        told(200, ['create tags/t9']),
      )
    })
  })

  describe('an account', () => {
    const people = '/collections/people'
    const half = { identity: 'ann@example.org', password }
    const next = { oldPassword: password, password: 'next horse', passwordConfirm: 'next horse' }
    rows([
      ['ann', 'PATCH people/{ann}', { name: 'Anna' }, 200, ['update people/ann']],
      ['ann', 'PATCH people/{ann}', { phone: '123' }, 200, ['update people/ann']],
      ['ann', 'PATCH people/{ann}', { code: 'x', tokenKey: 'x', collectionId: 'x' }, 200, nobody],
      ['ann', 'PATCH people/{ann}', { email: 'other@example.org' }, 400, nobody],
      ['bob', 'PATCH people/{ann}', { name: 'Bob' }, 404, nobody],
      [
        '',
        'POST people',
        { email: 'ann@example.org', password, passwordConfirm: password },
        400,
        nobody,
      ],
      ['', `POST ${people}/auth-with-password`, half, 401, nobody],
      ['', `POST ${people}/auth-with-password`, { ...half, password: 'wrong horse' }, 400, nobody],
      ['', `POST ${people}/request-otp`, { email: 'ann@example.org' }, 200, nobody],
      [
        '',
        `POST ${people}/auth-with-otp`,
        { otpId: 'x', password: '123456', mfaId: 'x' },
        400,
        nobody,
      ],
      ['ann', `POST ${people}/auth-refresh`, {}, 200, nobody],
      ['', `POST ${people}/request-verification`, { email: 'ann@example.org' }, 204, nobody],
      ['', `POST ${people}/request-password-reset`, { email: 'ann@example.org' }, 204, nobody],
      ['ann', `POST ${people}/request-email-change`, { newEmail: 'b@example.org' }, 204, nobody],
      ['', `POST ${people}/confirm-verification`, { token: 'x' }, 400, nobody],
    ])

    test('from its first day to its last', async () => {
      let token = ''
      const signUp = async () => {
        token = await fixture.signIn('cat')
        return { status: 200, text: token }
      }
      // The code proves the address, which is a change.
      expect(await outcomeOf(signUp)).toEqual(told(200, ['create people/cat', 'update people/cat']))
      const asCat = (line: string, send?: object) =>
        fixture.ask('', line, send, { Authorization: token })
      const secret = { id: id('f9'), name: 'Secret', secret: true }
      expect(await outcomeOf(() => asCat('POST folders', secret))).toEqual(told(200, nobody))
      expect(await outcomeOf(() => asCat('PATCH people/{cat}', next))).toEqual(
        told(200, ['update people/cat']),
      )
      expect(await outcomeOf(() => asCat('DELETE people/{cat}'))).toEqual(told(404, nobody))
      const form = { identity: 'cat@example.org', password: next.password }
      await fixture.ask('', `POST ${people}/auth-with-password`, form)
      await fixture.records.write((tx) => tx.delete('people', id('cat')))
      const gone = async () => ({ status: 204, text: '' })
      expect(await outcomeOf(gone)).toEqual(told(204, ['delete people/cat']))
    })
  })

  test('nothing went wrong', () => {
    expect(fixture.errors).toEqual([])
  })
})
