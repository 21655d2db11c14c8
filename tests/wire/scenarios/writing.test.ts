import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { linesOf, openSubscribers, type Subscribers } from './subscribers.ts'
import { codesOf, id, openFixture, type Answer, type Fixture, type Caller } from './fixture.ts'

const refused = (action: string) =>
  `{"data":{},"message":"Failed to ${action} record.","status":400}\n`
const open = id('open')
const notFound = "The requested resource wasn't found."

describeDatabases('writing', (openDatabase) => {
  let fixture: Fixture
  let ask: Fixture['ask']
  let subscribers: Subscribers
  beforeAll(async () => {
    fixture = await openFixture(await openDatabase())
    ask = fixture.ask
    subscribers = await openSubscribers(fixture)
    return () => fixture.records.close()
  })
  beforeEach(async () => void (await subscribers.received()))

  /** Creates as Ann, in her open folder; the record is removed again. Of both everybody is told. */
  async function createNote(send: object): Promise<Answer> {
    const answer = await ask('ann', 'POST notes', { folder: open, title: 'New', ...send })
    const made = String(answer.json['id'])
    const note = `notes/${made.replace(/0+$/, '')}`
    if (answer.status !== 200) await expectTold([])
    else {
      // Heard before it is gone: of what is made and at once deleted only the deletion may be told.
      await expectTold([`create ${note}`])
      await ask('ann', `DELETE notes/${made}`)
      await expectTold([`delete ${note}`])
    }
    return answer
  }

  /** What was made, as it is told: `tags/x`. */
  const named = (name: string, { json }: Answer) =>
    `${name}/${String(json['id']).replace(/0+$/, '')}`

  /** Removes again what was made; of both everybody is told. */
  async function removeTold(name: string, made: Answer, who: Caller = ''): Promise<void> {
    await expectTold([`create ${named(name, made)}`])
    expect((await ask(who, `DELETE ${name}/${String(made.json['id'])}`)).status).toBe(204)
    await expectTold([`delete ${named(name, made)}`])
  }

  async function expectTold(events: string[]): Promise<void> {
    const lines = linesOf(await subscribers.received())
    expect(lines).toEqual({ '': events, ann: events, bob: events })
  }

  describe('what a field makes of a value', () => {
    test.each<[string, unknown, unknown]>([
      ['title', 5, '5'],
      ['title', true, 'true'],
      ['title', ' kept ', ' kept '],
      ['title', '0001', '0001'],
      ['title', 'é\u{1F4D6}', 'é\u{1F4D6}'],
      ['score', '2.5', 2.5],
      ['score', '-7', -7],
      ['score', '1e3', 1000],
      ['score', 'many', 0],
      ['score', '', 0],
      ['score', null, 0],
      ['score', true, 1],
      ['score', false, 0],
      ['score', [5], 0],
      ['score', {}, 0],
      ['score', 1e21, 1e21],
      ['score', -0, 0],
      ['done', 'true', true],
      ['done', 'T', true],
      ['done', '1', true],
      ['done', 1, true],
      ['done', 0, false],
      ['done', 'yes', false],
      ['done', null, false],
      ['done', [], false],
      ['due', '2026-05-06 07:08:09.123Z', '2026-05-06 07:08:09.123Z'],
      ['due', '2026-05-06T07:08:09Z', '2026-05-06 07:08:09.000Z'],
      ['due', '2026-05-06T07:08:09+02:00', '2026-05-06 05:08:09.000Z'],
      ['due', '2026-05-06', '2026-05-06 00:00:00.000Z'],
      ['due', 1_700_000_000, '2023-11-14 22:13:20.000Z'],
      ['due', 'soon', ''],
      ['due', '2026-02-31', ''],
      ['due', null, ''],
      ['kind', 'a', 'a'],
      ['kind', ['a', 'b'], 'b'],
      ['kind', '["c"]', 'c'],
      ['kind', null, ''],
      ['kind', [], ''],
      ['kinds', 'a', ['a']],
      ['kinds', ['b', 'a', 'b', ''], ['b', 'a']],
      ['kinds', '["a","b"]', ['a', 'b']],
      ['kinds', null, []],
      ['kinds', '', []],
      ['tags', id('red'), [id('red')]],
      ['tags', [id('blue'), id('red'), id('blue')], [id('blue'), id('red')]],
      ['next', [id('n1'), id('n2')], id('n2')],
      ['data', { a: [1, null] }, { a: [1, null] }],
      ['data', 'plain', 'plain'],
      ['data', '', ''],
      ['data', 'null', null],
      ['data', 'true', true],
      ['data', '12', 12],
      ['data', '{"a":1}', { a: 1 }],
      ['data', '[1]', [1]],
      ['data', '{broken', '{broken'],
      ['data', '"quoted"', 'quoted'],
      ['data', 0, 0],
      ['serial', 'mine', ''],
      ['body', '<p>kept</p>', '<p>kept</p>'],
      ['body', 5, '5'],
      ['link', 'https://a.test/x?y=1', 'https://a.test/x?y=1'],
      ['link', '', ''],
      ['place', { lon: 1.5, lat: -2 }, { lon: 1.5, lat: -2 }],
      ['place', '{"lon":1,"lat":2}', { lon: 1, lat: 2 }],
      ['place', null, { lon: 0, lat: 0 }],
      ['place', 'nowhere', { lon: 0, lat: 0 }],
      ['collectionName', 'vault', 'notes'],
      ['id', 'abcdefghij12345', 'abcdefghij12345'],
    ])('%s: %j is %j', async (field, value, expected) => {
      const answer = await createNote({ [field]: value })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.json[field]).toEqual(expected)
    })

    test.each(['created', 'updated'])('%s is the server’s', async (field) => {
      const { json } = await createNote({ [field]: '2001-01-01 00:00:00.000Z' })
      expect(json[field]).toMatch(/^20[2-9]/)
    })

    test.each(['hint', 'unknown', '__hidden', 'expand'])('%s is ignored', async (field) => {
      const answer = await createNote({ [field]: 'x' })
      expect(answer.status).toBe(200)
      expect(answer.json).not.toHaveProperty(field)
    })
  })

  describe('what a field refuses', () => {
    test.each<[object, unknown]>([
      [{ title: '' }, { title: 'required' }],
      [{ title: null }, { title: 'required' }],
      [{ title: [] }, { title: 'required' }],
      [{ title: 'x'.repeat(61) }, { title: 'max_text_constraint' }],
      [{ title: '\u{1F4D6}'.repeat(60) }, 200],
      [{ title: 'a{b' }, { title: 'invalid_format' }],
      [{ stars: -1 }, { stars: 'min_number_constraint' }],
      [{ stars: 6 }, { stars: 'max_number_constraint' }],
      [{ stars: 1.5 }, { stars: 'only_int_constraint' }],
      [{ stars: 'inf' }, { stars: 'not_a_number' }],
      [{ score: 'NaN' }, { score: 'not_a_number' }],
      [{ kind: 'd' }, { kind: 'invalid_value' }],
      [{ kinds: ['a', 'd'] }, { kinds: 'invalid_value' }],
      [{ kinds: ['a', 'b', 'c'] }, { kinds: 'too_many_values' }],
      [{ tags: ['nothing00000000'] }, { tags: 'missing_rel_records' }],
      [{ tags: ['red', 'blue', 'green', 'n1'].map(id) }, { tags: 'too_many_values' }],
      [{ next: 'nothing00000000' }, { next: 'missing_rel_records' }],
      [{ data: 'x'.repeat(199) }, { data: 'json_size_limit' }],
      [{ body: 'x'.repeat(101) }, { body: 'content_size_limit' }],
      [{ link: 'no address' }, { link: 'invalid_url' }],
      [{ link: 'javascript:alert(1)' }, { link: 'invalid_url' }],
      [{ link: 'https://bad.test/' }, { link: 'url_domain_not_allowed' }],
      [{ place: { lon: 0, lat: 91 } }, { place: 'invalid_latitude' }],
      [{ place: { lon: 181, lat: 0 } }, { place: 'invalid_longitude' }],
      [{ id: 'short' }, { id: 'min_text_constraint' }],
      [{ id: 'x'.repeat(16) }, { id: 'max_text_constraint' }],
      [{ id: 'UPPER0000000000' }, { id: 'invalid_format' }],
      [{ id: id('n1') }, { id: 'not_unique' }],
      [
        { title: '', stars: 9, kind: 'z' },
        { title: 'required', stars: 'max_number_constraint', kind: 'invalid_value' },
      ],
    ])('%j', async (send, expected) => {
      const answer = await createNote(send)
      expect(codesOf(answer)).toEqual(expected)
      expect(JSON.stringify(answer.json)).not.toMatch(/SQL|UNIQUE|constraint failed|\.ts\b/)
    })

    test.each<[object, string]>([
      [{ title: '' }, '{"code":"validation_required","message":"Cannot be blank."}'],
      [
        { title: 'x'.repeat(61) },
        '{"code":"validation_max_text_constraint","message":"Must be no more than 60 character(s).","params":{"max":60}}',
      ],
      [
        { stars: -1 },
        '{"code":"validation_min_number_constraint","message":"Must be greater or equal than 0.","params":{"min":0}}',
      ],
      [
        { stars: 6 },
        '{"code":"validation_max_number_constraint","message":"Must be less or equal than 5.","params":{"max":5}}',
      ],
      [
        { kinds: ['x'] },
        '{"code":"validation_invalid_value","message":"Invalid value x.","params":{"value":"x"}}',
      ],
      [
        { kinds: ['a', 'b', 'c'] },
        '{"code":"validation_too_many_values","message":"Select no more than 2.","params":{"maxSelect":2}}',
      ],
      [
        { data: 'x'.repeat(199) },
        '{"code":"validation_json_size_limit","message":"The maximum allowed JSON size is 200 bytes.","params":{"maxSize":200}}',
      ],
    ])('%j in whole words', async (send, expected) => {
      const [field] = Object.keys(send)
      const { text } = await createNote(send)
      expect(text).toBe(
        `{"data":{"${field}":${expected}},"message":"Failed to create record.","status":400}\n`,
      )
    })
  })

  test('errors come in the order of the alphabet, as everything does', async () => {
    const { text } = await createNote({ title: '', stars: 9, kind: 'z', tags: 'none' })
    expect([...text.matchAll(/"(\w+)":\{"code"/g)].map(([, field]) => field)).toEqual([
      'kind',
      'stars',
      'tags',
      'title',
    ])
  })

  describe('who may', () => {
    const note = { folder: open, title: 'New' }
    test.each<[Caller, string, unknown, number, string]>([
      ['', 'POST notes', note, 400, refused('create')],
      ['bob', 'POST notes', note, 400, refused('create')],
      ['bob', 'POST notes', { ...note, folder: id('shut') }, 400, refused('create')],
      ['bob', 'POST notes', { ...note, folder: id('none') }, 400, refused('create')],
      ['bob', 'POST notes', { ...note, stars: 99, title: '' }, 400, refused('create')],
      ['', 'POST folders', { name: 'Mine' }, 400, refused('create')],
      ['', 'POST folders', { name: 'Mine', owner: id('ann') }, 400, refused('create')],
      ['bob', 'POST folders', { name: 'Mine', owner: id('ann') }, 400, refused('create')],
      ['ann', 'POST vault', { word: 'x' }, 403, 'Only superusers can perform this action.'],
      ['ann', 'PATCH vault/{v}', { word: 'x' }, 403, 'Only superusers can perform this action.'],
      ['ann', 'PATCH vault/nothing', {}, 403, 'Only superusers can perform this action.'],
      ['ann', 'DELETE vault/{v}', undefined, 403, 'Only superusers can perform this action.'],
      ['ann', 'POST digest', { name: 'x' }, 400, 'Unsupported collection type.'],
      ['ann', 'PATCH digest/{open}', {}, 400, 'Unsupported collection type.'],
      ['ann', 'DELETE digest/{open}', undefined, 400, 'Unsupported collection type.'],
      ['ann', 'POST nothing', {}, 404, 'Missing or invalid collection context.'],
      ['ann', 'PATCH nothing/{n1}', {}, 404, 'Missing or invalid collection context.'],
      ['ann', 'DELETE nothing/{n1}', undefined, 404, 'Missing collection context.'],
      ['', 'PATCH notes/{n1}', { title: 'x' }, 404, notFound],
      ['bob', 'PATCH notes/{n1}', { title: '', stars: 99 }, 404, notFound],
      ['bob', 'PATCH notes/{n3}', { title: 'x' }, 404, notFound],
      ['bob', 'PATCH notes/nothing', { title: 'x' }, 404, notFound],
      ['bob', 'DELETE notes/{n1}', undefined, 404, notFound],
      ['bob', 'DELETE notes/{n3}', undefined, 404, notFound],
      ['bob', 'DELETE folders/{open}', undefined, 404, notFound],
      ['bob', 'PATCH people/{ann}', { name: 'x' }, 404, notFound],
      ['', 'DELETE people/{ann}', undefined, 404, notFound],
      ['', 'PATCH links/{l1}', { text: 'x' }, 404, notFound],
      // What cannot be read is told before what may not be done.
      ['', 'POST vault', '{', 400, 'Something went wrong'],
      ['', 'PATCH vault/{v}', '{', 400, 'Something went wrong'],
      ['bob', 'PATCH notes/{n3}', '{', 400, 'Something went wrong'],
      ['bob', 'PATCH notes/nothing', '{', 400, 'Something went wrong'],
      ['bob', 'POST notes', `{"x":"${'x'.repeat(2_000_000)}"}`, 413, 'Request entity too large.'],
      ['bob', 'DELETE notes/{n3}', '{', 404, notFound],
      ['', 'POST nothing', '{', 404, 'Missing or invalid collection context.'],
      ['', 'POST digest', '{', 400, 'Unsupported collection type.'],
      ['', 'DELETE vault/nothing', undefined, 403, 'Only superusers can perform this action.'],
      ['ann', 'POST notes', '{', 400, 'Something went wrong'],
      ['ann', 'PATCH notes/{n1}', '[]', 400, 'Something went wrong'],
    ])('as "%s" %s %j: %i', async (who, line, send, status, told) => {
      const headers = typeof send === 'string' ? { 'Content-Type': 'application/json' } : {}
      const answer = await ask(who, line, send, headers)
      expect(answer.status).toBe(status)
      expect(answer.text).toContain(told)
      expect(answer.text).not.toContain('canary')
      await expectTold([])
    })

    test('a rule sees body and headers', async () => {
      const line = 'PATCH links/{l1}'
      expect((await ask('', line, { text: 'kept' }, { 'X-Key': 'k' })).status).toBe(200)
      expect((await ask('', line, { text: '' }, { 'X-Key': 'k' })).status).toBe(404)
      expect((await ask('', line, { text: 'kept' }, { 'X-Key': 'other' })).status).toBe(404)
      await expectTold([])
    })

    test('nobody names what they cannot see', async () => {
      const hidden = await ask('ann', 'PATCH notes/{n1}', { next: id('n5') })
      const missing = await ask('ann', 'PATCH notes/{n1}', { next: id('none') })
      expect(codesOf(hidden)).toEqual({ next: 'missing_rel_records' })
      expect(hidden.text).toBe(missing.text)
      await expectTold([])
    })
  })

  describe('modifiers', () => {
    const tag = (...names: string[]) => names.map(id)
    test.each<[string, object, object, object]>([
      ['adds', { score: 1 }, { 'score+': 2 }, { score: 3 }],
      ['takes away', { score: 1 }, { 'score-': 2.5 }, { score: -1.5 }],
      ['sets, then adds', { score: 1 }, { score: 10, 'score+': 1 }, { score: 11 }],
      ['appends', { kinds: ['a'] }, { 'kinds+': 'b' }, { kinds: ['a', 'b'] }],
      ['appends once', { kinds: ['a'] }, { 'kinds+': ['a', 'b'] }, { kinds: ['a', 'b'] }],
      ['prepends', { kinds: ['a'] }, { '+kinds': 'b' }, { kinds: ['b', 'a'] }],
      ['removes', { kinds: ['a', 'b'] }, { 'kinds-': 'a' }, { kinds: ['b'] }],
      ['removes what is not there', { kinds: ['a'] }, { 'kinds-': 'c' }, { kinds: ['a'] }],
      [
        'appends relations',
        { tags: tag('red') },
        { 'tags+': tag('blue') },
        { tags: tag('red', 'blue') },
      ],
      [
        'prepends relations',
        { tags: tag('red') },
        { '+tags': id('blue') },
        { tags: tag('blue', 'red') },
      ],
      [
        'removes relations',
        { tags: tag('red', 'blue') },
        { 'tags-': tag('red') },
        { tags: tag('blue') },
      ],
      ['replaces a single one', { kind: 'a' }, { 'kind+': 'b' }, { kind: 'b' }],
      ['empties a single one', { kind: 'a' }, { 'kind-': 'a' }, { kind: '' }],
      ['knows no title+', { title: 'Old' }, { 'title+': 'x' }, { title: 'Old' }],
    ])('%s', async (_, before, send, after) => {
      const made = await ask('ann', 'POST notes', { folder: open, title: 'Old', ...before })
      const line = `notes/${String(made.json['id'])}`
      const short = line.replace(/0+$/, '')
      await expectTold([`create ${short}`])
      const answer = await ask('ann', `PATCH ${line}`, send)
      expect(answer.json).toMatchObject(after)
      expect((await ask('ann', `GET ${line}`)).text).toBe(answer.text)
      await expectTold(answer.text === made.text ? [] : [`update ${short}`])
      await ask('ann', `DELETE ${line}`)
      await expectTold([`delete ${short}`])
    })

    test('keep to the limits of what they make', async () => {
      expect(codesOf(await ask('ann', 'PATCH notes/{n1}', { 'stars+': 1 }))).toEqual({
        stars: 'max_number_constraint',
      })
      expect(codesOf(await ask('ann', 'PATCH notes/{n1}', { 'kinds+': 'c' }))).toEqual({
        kinds: 'too_many_values',
      })
      await expectTold([])
    })
  })

  describe('bodies', () => {
    const form = 'application/x-www-form-urlencoded'
    test.each<[string, string, number]>([
      ['application/json', '{"name":"J"}', 200],
      ['application/json; charset=utf-8', '{"name":"J"}', 200],
      ['APPLICATION/JSON', '{"name":"J"}', 200],
      [form, 'name=J', 200],
      ['text/plain', '{"name":"J"}', 400],
      ['', '{"name":"J"}', 400],
      ['application/xml', '<name>J</name>', 400],
      ['application/json', '{"name":"J"', 400],
      ['application/json', 'null', 400],
      ['application/json', '"J"', 400],
      ['application/json', '[{"name":"J"}]', 400],
      ['application/json', '{"name":"J","x":"\\u0000"}', 400],
      ['application/json', '{"name":"J","__proto__":{"weight":1}}', 400],
      ['application/json', `{"name":"J","x":"${'x'.repeat(2_000_000)}"}`, 413],
      ['multipart/form-data', 'x', 400],
      ['multipart/form-data; boundary=b', '--b\r\n', 400],
    ])('%s', async (type, body, status) => {
      const answer = await ask('', 'POST tags', Buffer.from(body), { 'Content-Type': type })
      expect(answer.status, answer.text).toBe(status)
      await (answer.status === 200 ? removeTold('tags', answer) : expectTold([]))
    })

    test.each<[string, Record<string, string | string[]>, object]>([
      ['numbers and booleans', { score: '2.5', done: 'true' }, { score: 2.5, done: true }],
      ['digits of a text', { title: '9780141439471' }, { title: '9780141439471' }],
      ['leading zeros', { title: '0001' }, { title: '0001' }],
      ['what is no shortest number', { data: '1e3' }, { data: '1e3' }],
      ['a repeated key', { kinds: ['a', 'b'] }, { kinds: ['a', 'b'] }],
      ['nothing', { kind: '', kinds: '' }, { kind: '', kinds: [] }],
      [
        'a payload',
        { '@jsonPayload': '{"data":{"a":"1"},"score":4}' },
        { data: { a: '1' }, score: 4 },
      ],
      ['a payload over parts', { score: '1', '@jsonPayload': '{"score":4}' }, { score: 4 }],
      ['the later payload', { '@jsonPayload': ['{"score":4}', '{"score":5}'] }, { score: 5 }],
    ])('multipart: %s', async (_, parts, expected) => {
      const body = new FormData()
      body.set('folder', open)
      body.set('title', 'New')
      for (const [name, value] of Object.entries(parts))
        for (const [i, one] of [value].flat().entries())
          if (i) body.append(name, one)
          else body.set(name, one)
      const answer = await ask('ann', 'POST notes', body)
      expect(answer.json, answer.text).toMatchObject(expected)
      await removeTold('notes', answer, 'ann')
    })

    test('a body of nothing is an empty object', async () => {
      expect(codesOf(await ask('', 'POST tags'))).toEqual({ name: 'required' })
      expect((await ask('ann', 'PATCH notes/{n1}')).status).toBe(200)
      await expectTold([])
    })
  })

  describe('what else a write does', () => {
    test('answers with expand and fields, or refuses before it writes', async () => {
      const query = 'fields=title,expand.folder.name&expand=folder'
      const { text } = await ask('ann', `PATCH notes/{n1}?${query}`, { title: 'Alpha' })
      expect(text).toBe('{"expand":{"folder":{"name":"Open"}},"title":"Alpha"}\n')
      const broken = await ask('ann', 'PATCH notes/{n1}?fields=title:no()', { title: 'Written' })
      expect(broken.status).toBe(400)
      expect((await ask('ann', 'GET notes/{n1}')).json['title']).toBe('Alpha')
      await expectTold([])
    })

    test('the id stays, whatever is sent', async () => {
      const { json } = await ask('ann', 'PATCH notes/{n1}', { id: id('other') })
      expect(json['id'] ?? id('n1')).toBe(id('n1'))
      expect((await ask('ann', 'GET notes/{other}')).status).toBe(404)
      await expectTold([])
    })

    test('a change without a difference changes nothing, one with it the date', async () => {
      const before = await ask('ann', 'GET notes/{n2}')
      const same = await ask('ann', 'PATCH notes/{n2}', { stars: 3 })
      expect(same.text).toBe(before.text)
      await expectTold([])
      const { json } = await ask('ann', 'PATCH notes/{n2}', { done: true })
      expect(json['updated']).not.toBe(before.json['updated'])
      expect(json['created']).toBe(before.json['created'])
      await expectTold(['update notes/n2'])
    })

    test('the owner is filled in, and cannot be another', async () => {
      const made = await ask('bob', 'POST folders', { name: 'Filled' })
      expect(made.json['owner']).toBe(id('bob'))
      const line = `PATCH folders/${String(made.json['id'])}`
      await expectTold([`create ${named('folders', made)}`])
      expect((await ask('bob', line, { owner: id('ann') })).json['owner']).toBe(id('bob'))
      await expectTold([])
    })

    test.each([
      [{}, /^[a-z0-9]{6}$/],
      [{ slug: 'mine' }, /^mine$/],
      [{ 'slug:autogenerate': 'my-' }, /^my-[a-z0-9]{6}$/],
      [{ 'slug:autogenerate': '' }, /^[a-z0-9]{6}$/],
      [{ 'text:autogenerate': 'kept' }, /^[a-z0-9]{6}$/],
    ])('what is generated of %j is like %s', async (send, expected) => {
      const made = await ask('', 'POST links', { note: id('n1'), ...send })
      expect(made.json['slug']).toMatch(expected)
      expect(made.json['text']).toBe('text:autogenerate' in send ? 'kept' : '')
      await removeTold('links', made)
    })

    test('every column of a broken unique index is named', async () => {
      expect(codesOf(await ask('ann', 'POST folders', { name: 'Open' }))).toEqual({
        owner: 'not_unique',
        name: 'not_unique',
      })
      expect(codesOf(await ask('', 'POST tags', { name: 'Red' }))).toEqual({ name: 'not_unique' })
      expect(codesOf(await ask('', 'PATCH tags/{red}', { name: 'Blue' }))).toEqual({
        name: 'not_unique',
      })
      // Only what would else be written is looked for.
      expect(codesOf(await ask('', 'POST tags', { name: 'Red', id: 'short' }))).toEqual({
        id: 'min_text_constraint',
      })
      await expectTold([])
    })

    test('a required reference keeps its target, a loose one is emptied, the rest goes along', async () => {
      const kept = await ask('ann', 'DELETE notes/{n1}')
      expect([kept.status, kept.json['message']]).toEqual([
        400,
        'Failed to delete record. Make sure that the record is not part of a required relation reference.',
      ])
      expect((await ask('ann', 'DELETE folders/{open}')).status).toBe(400)
      await expectTold([])
      expect((await ask('', 'DELETE links/{l1}')).status).toBe(204)
      await expectTold(['delete links/l1'])
      const gone = await ask('ann', 'DELETE folders/{open}')
      expect([gone.status, gone.text]).toEqual([204, ''])
      const seen = [
        'delete folders/open',
        'delete notes/n1',
        'delete notes/n2',
        'update folders/bobs',
        'update notes/n4',
      ]
      const bobs = [...seen, 'update folders/bobx', 'update notes/n5'].toSorted()
      expect(linesOf(await subscribers.received())).toEqual({ '': seen, ann: seen, bob: bobs })
      expect((await ask('ann', 'GET notes/{n1}')).status).toBe(404)
      expect((await ask('', 'GET notes/{n4}')).json['next']).toBe('')
      expect((await ask('', 'GET folders/{bobs}')).json['parent']).toBe('')
      expect((await ask('', 'DELETE tags/{green}')).status).toBe(204)
      expect((await ask('ann', 'GET notes/{n3}')).json['tags']).toEqual([])
      const tag = ['delete tags/green']
      expect(linesOf(await subscribers.received())).toEqual({
        '': tag,
        ann: [...tag, 'update notes/n3'],
        bob: tag,
      })
    })
  })

  test('nothing went wrong', () => {
    expect(fixture.errors).toEqual([])
  })
})
