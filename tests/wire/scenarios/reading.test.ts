import { beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { idsIn, id, openFixture, schema, type Fixture, type Caller } from './fixture.ts'

const unknown = '400 Something went wrong while processing your request.'
const notFound = `{"data":{},"message":"The requested resource wasn't found.","status":404}\n`

describeDatabases('reading', (open) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await openFixture(await open())
    return () => fixture.records.close()
  })

  test.each<[Caller, string, string]>([
    ['', 'notes', 'n1 n2 n4'],
    ['ann', 'notes', 'n1 n2 n3 n4'],
    ['bob', 'notes', 'n1 n2 n4 n5'],
    ['', 'NOTES', 'n1 n2 n4'],
    ['', schema.get('notes').id, 'n1 n2 n4'],
    ['', 'folders?sort=name', 'bobs open'],
    ['ann', 'folders?sort=name', 'bobs open shut'],
    ['', 'tags?sort=weight', 'red blue green'],
    ['', 'people', 'ann bob'],
    ['', 'digest?sort=name', 'bobs open'],
    ['', 'vault', '403 Only superusers can perform this action.'],
    ['ann', 'vault', '403 Only superusers can perform this action.'],
    ['', 'nothing', '404 Missing collection context.'],
    ['', '__proto__', '404 Missing collection context.'],
    ['', '_superusers', '404 Missing collection context.'],
    ['', 'notes?perPage=2', 'n1 n2 of 3'],
    ['', 'notes?perPage=2&page=2', 'n4 of 3'],
    ['', 'notes?perPage=2&page=3', ' of 3'],
    ['', 'notes?page=0', 'n1 n2 n4'],
    ['', 'notes?page=-1', 'n1 n2 n4'],
    ['', 'notes?page=', 'n1 n2 n4'],
    ['', 'notes?perPage=0', 'n1 n2 n4'],
    ['', 'notes?perPage=-5', 'n1 n2 n4'],
    ['', 'notes?perPage=1000000', 'n1 n2 n4'],
    ['', 'notes?perPage=1&perPage=30', 'n1 of 3'],
    ['', 'notes?page=1.5', unknown],
    ['', 'notes?page=1000000000', ' of 3'],
    ['', 'notes?page=9007199254740991&perPage=1000', ' of 3'],
    ['', 'notes?page=99999999999999999999', unknown],
    ['', 'notes?page=1e3', unknown],
    ['', 'notes?page=2&page=1', ' of 3'],
    ['', 'notes?page=x', unknown],
    ['', 'notes?perPage=many', unknown],
    ['', 'notes?skipTotal=1', 'n1 n2 n4 of -1'],
    ['', 'notes?skipTotal=t', 'n1 n2 n4 of -1'],
    ['', 'notes?skipTotal=TRUE', 'n1 n2 n4 of -1'],
    ['', 'notes?skipTotal=true', 'n1 n2 n4 of -1'],
    ['', 'notes?skipTotal=0', 'n1 n2 n4'],
    ['', 'notes?skipTotal=False', 'n1 n2 n4'],
    ['', 'notes?skipTotal=yes', unknown],
    ['', 'notes?nonsense=1', 'n1 n2 n4'],
    ['', 'notes?filter=', 'n1 n2 n4'],
    ['', 'notes?sort=', 'n1 n2 n4'],
    ['', 'notes?sort=title', 'n1 n4 n2'],
    ['', 'notes?sort=-title', 'n2 n4 n1'],
    ['', 'notes?sort=+title', 'n1 n4 n2'],
    ['', 'notes?sort= - title ', 'n2 n4 n1'],
    ['', 'notes?sort=title:lower', 'n1 n2 n4'],
    ['', 'notes?sort=-stars,title', 'n1 n2 n4'],
    ['', 'notes?sort=created', 'n1 n2 n4'],
    ['', 'notes?sort=-created', 'n4 n1 n2'],
    ['', 'notes?sort=-done,-title', 'n1 n2 n4'],
    ['', 'notes?sort=score', 'n2 n4 n1'],
    ['', 'notes?sort=due,id', 'n2 n4 n1'],
    ['', 'notes?sort=data.k,id', 'n2 n4 n1'],
    ['', 'notes?sort=-folder.name,title', 'n1 n2 n4'],
    ['', 'notes?sort=folder.owner.name,-id', 'n2 n1 n4'],
    ['', 'notes?sort=-tags.weight', 'n1 n2 n4'],
    ['', 'notes?sort=next.title,id', 'n1 n2 n4'],
    ['', 'notes?sort=hint', unknown],
    ['', 'notes?sort=nothing', unknown],
    ['', 'notes?sort=title,', unknown],
    ['', 'notes?sort=,', unknown],
    ['', 'notes?sort=title desc', unknown],
    ['', 'notes?sort=1', unknown],
    ['', 'notes?sort=@rowid', unknown],
    ['', 'notes?sort=@request.auth.id', unknown],
    ['', 'notes?sort=@collection.tags.name', unknown],
    ['', 'people?sort=email', unknown],
    ['', 'people?sort=password', unknown],
    ['', 'notes?sort=folder.owner.email', unknown],
    ['', `notes?sort=${Array(8).fill('title').join()}`, 'n1 n4 n2'],
    ['', `notes?sort=${Array(9).fill('title').join()}`, unknown],
    ['', `notes?sort=${'x'.repeat(256)}`, unknown],
    ['', `notes?sort=${'next.'.repeat(6)}title,id`, 'n1 n2 n4'],
    ['', `notes?sort=${'next.'.repeat(7)}title`, unknown],
  ])('as "%s", a list of %s: %s', async (who, query, expected) => {
    const answer = await fixture.ask(who, `GET ${query}`)
    expect(idsIn(answer)).toBe(expected)
    expect(who === '' && answer.text.includes('canary')).toBe(false)
  })

  test('nothing found is no page of nothing', async () => {
    const nothing = await fixture.ask('', 'GET notes?filter=title="none"&perPage=3')
    expect(nothing.text).toBe('{"items":[],"page":1,"perPage":3,"totalItems":0,"totalPages":0}\n')
    const beyond = await fixture.ask('', 'GET notes?page=9&perPage=2000')
    expect(beyond.text).toBe('{"items":[],"page":9,"perPage":1000,"totalItems":3,"totalPages":1}\n')
    const uncounted = await fixture.ask('', 'GET notes?perPage=3&page=2&skipTotal=1')
    expect(uncounted.text).toBe(
      '{"items":[],"page":2,"perPage":3,"totalItems":-1,"totalPages":-1}\n',
    )
  })

  test('at random every row comes once', async () => {
    const answer = await fixture.ask('', 'GET notes?sort=@random')
    expect(idsIn(answer).split(' ').toSorted()).toEqual(['n1', 'n2', 'n4'])
  })

  test.each<[Caller, string, number]>([
    ['', 'notes/{n1}', 200],
    ['', 'notes/{n3}', 404],
    ['bob', 'notes/{n3}', 404],
    ['ann', 'notes/{n3}', 200],
    ['', 'notes/nothing', 404],
    ['', 'notes/{n1}%00', 404],
    ['', 'notes/N10000000000000', 404],
    ['', 'vault/{v}', 403],
    ['', 'vault/nothing', 403],
    ['', 'digest/{open}', 200],
    ['', 'digest/{shut}', 404],
    ['ann', 'digest/{shut}', 404],
    ['', 'tags/{red}', 200],
    ['', 'nothing/{n1}', 404],
  ])('as "%s", a view of %s: %i', async (who, line, status) => {
    const answer = await fixture.ask(who, `GET ${line}`)
    expect(answer.status).toBe(status)
    expect(who === '' && answer.text.includes('canary')).toBe(false)
  })

  test.each<[Caller, string]>([
    ['', 'GET notes/{n3}'],
    ['bob', 'GET notes/{n3}'],
    ['', 'PATCH notes/{n1}'],
    ['', 'DELETE notes/{n1}'],
    ['bob', 'DELETE notes/{n3}'],
    ['', 'PUT notes/{n1}'],
    ['', 'POST notes/{n1}'],
    ['', 'GET /nothing'],
    ['', 'GET /'],
    ['', 'PUT notes'],
    ['', 'GET /collections'],
    ['', 'GET /collections/notes'],
    ['', 'GET /settings'],
    ['', 'GET /logs'],
    ['', 'GET /admins'],
    ['', 'POST /collections/notes/records/{n1}/x'],
    ['', 'GET /collections/notes/records/'],
    ['', 'GET /collections/notes/records/{n3}/'],
    ['', 'GET //collections/notes/records'],
  ])('as "%s", %s is not there', async (who, line) => {
    const answer = await fixture.ask(who, line)
    expect([answer.status, answer.text]).toEqual([404, notFound])
  })

  test.each([
    ['GET notes', 'HEAD notes'],
    ['GET notes/{n1}', 'HEAD notes/{n1}'],
    ['GET notes/{n3}', 'HEAD notes/{n3}'],
    ['GET vault', 'HEAD vault'],
  ])('%s has the head of %s', async (get, head) => {
    const [whole, without] = [await fixture.ask('', get), await fixture.ask('', head)]
    expect([without.status, without.text]).toEqual([whole.status, ''])
    expect(without.headers.get('content-type')).toBe('application/json')
  })

  const n1 = (more: object) => ({ id: id('n1'), ...more })
  test.each<[string, object]>([
    ['id', n1({})],
    ['id,title', n1({ title: 'Alpha' })],
    [' id , title ', n1({ title: 'Alpha' })],
    ['id,nothing', n1({})],
    ['id,hint,serial', n1({ serial: '' })],
    ['nothing', {}],
    ['data.k', { data: { k: 'v' } }],
    ['data.deep', { data: { deep: [1, 'x'] } }],
    ['id,expand.folder.name', n1({ expand: { folder: { name: 'Open' } } })],
    ['id,expand.tags.name', n1({ expand: { tags: [{ name: 'Red' }, { name: 'Blue' }] } })],
    ['id,expand.folder.owner', n1({ expand: { folder: { owner: id('ann') } } })],
    ['title:excerpt(3)', { title: 'Alp' }],
    ['title:excerpt(3,true)', { title: 'Alp...' }],
    ['title:excerpt(3, false)', { title: 'Alp' }],
    ['title:excerpt(50,true)', { title: 'Alpha' }],
    ['stars:excerpt(1)', { stars: 5 }],
    ['body:excerpt(20)', { body: 'One two' }],
    ['body:excerpt(3,true)', { body: 'One...' }],
    ['place', { place: { lon: 13.4, lat: 52.5 } }],
    ['place.lat', { place: { lat: 52.5 } }],
  ])('a view with fields=%s', async (fields, expected) => {
    const answer = await fixture.ask('', `GET notes/{n1}?expand=folder,tags&fields=${fields}`)
    expect(answer.json).toEqual(expected)
  })

  test.each(['title:shout(1)', 'title:excerpt', 'title:excerpt(0)', 'title:excerpt(-1)'])(
    'fields=%s is refused',
    async (fields) => {
      expect((await fixture.ask('', `GET notes/{n1}?fields=${fields}`)).status).toBe(400)
      expect((await fixture.ask('', `GET notes?fields=${fields}`)).status).toBe(400)
    },
  )

  test('fields=* keeps all of its level, and a list its paging', async () => {
    const whole = await fixture.ask('', 'GET notes/{n1}?expand=folder')
    const { json } = await fixture.ask('', 'GET notes/{n1}?expand=folder&fields=*,expand.folder.id')
    expect(json).toEqual({ ...whole.json, expand: { folder: { id: id('open') } } })
    const list = await fixture.ask('', 'GET notes?fields=stars&sort=id&perPage=2')
    expect(list.text).toBe(
      '{"items":[{"stars":5},{"stars":3}],"page":1,"perPage":2,"totalItems":3,"totalPages":2}\n',
    )
  })

  describe('expand', () => {
    const gone = undefined
    test.each<[Caller, string, string, unknown]>([
      ['', 'notes/{n1}', 'folder', { folder: { id: id('open') } }],
      ['', 'notes/{n1}', 'tags', { tags: [{ id: id('red') }, { id: id('blue') }] }],
      ['', 'notes/{n1}', ' folder , tags ', { folder: {}, tags: [{}, {}] }],
      ['', 'notes/{n1}', 'folder.owner', { folder: { expand: { owner: { id: id('ann') } } } }],
      ['', 'notes/{n1}', 'folder,folder.owner', { folder: { expand: { owner: {} } } }],
      ['', 'notes/{n1}', 'next', {}],
      ['ann', 'notes/{n1}', 'next', { next: { id: id('n3') } }],
      ['bob', 'notes/{n1}', 'next', {}],
      ['', 'notes/{n2}', 'next.next', { next: { id: id('n1'), expand: {} } }],
      ['ann', 'notes/{n2}', 'next.next', { next: { expand: { next: { id: id('n3') } } } }],
      ['', 'notes/{n1}', 'nothing', gone],
      ['', 'notes/{n1}', 'title', gone],
      ['', 'notes/{n1}', 'hint', gone],
      ['', 'notes/{n1}', 'title.folder', gone],
      ['', 'notes/{n1}', 'nothing,folder', { folder: { id: id('open') } }],
      ['', 'notes/{n1}', 'links_via_note', { links_via_note: [{ id: id('l1') }] }],
      ['', 'notes/{n2}', 'links_via_note', {}],
      [
        '',
        'notes/{n1}',
        'notes_via_next',
        { notes_via_next: [{ id: id('n2') }, { id: id('n4') }] },
      ],
      ['bob', 'notes/{n1}', 'notes_via_next', { notes_via_next: [{}, {}, { id: id('n5') }] }],
      ['', 'notes/{n1}', 'notes_via_title', gone],
      ['', 'notes/{n1}', 'nothing_via_next', gone],
      ['', 'notes/{n1}', 'vault_via_word', gone],
      ['', 'folders/{open}', 'notes_via_folder', { notes_via_folder: [{ id: id('n1') }, {}] }],
      ['', 'folders/{open}', 'folders_via_parent', { folders_via_parent: [{ id: id('bobs') }] }],
      ['', 'tags/{green}', 'notes_via_tags', {}],
      ['ann', 'tags/{green}', 'notes_via_tags', { notes_via_tags: [{ id: id('n3') }] }],
      [
        '',
        'people/{ann}',
        'folders_via_owner.notes_via_folder.tags',
        {
          folders_via_owner: [
            {
              id: id('open'),
              expand: { notes_via_folder: [{ expand: { tags: [{}, {}] } }, {}] },
            },
          ],
        },
      ],
    ])('as "%s" of %s: %s', async (who, line, expand, expected) => {
      const answer = await fixture.ask(who, `GET ${line}?expand=${expand}`)
      expect(answer.status).toBe(200)
      const got = answer.json['expand']
      expect(Object.keys(got ?? {})).toEqual(Object.keys(expected ?? {}))
      expect({ expand: got }).toMatchObject({ expand: expected })
      expect(who === '' && answer.text.includes('canary')).toBe(false)
    })

    test('goes six levels deep', async () => {
      const { json } = await fixture.ask(
        '',
        `GET notes/{n2}?expand=next${'.notes_via_next.next'.repeat(4)}`,
      )
      const deep = JSON.stringify(json).match(/"expand"/g)
      expect(deep!.length).toBeGreaterThan(5)
      let level = 0
      for (let at: unknown = json; at; level++)
        at = Object.values((at as { expand?: object }).expand ?? {})
          .flat()
          .at(0)
      expect(level - 1).toBe(6)
    })
  })

  test('a record has its keys in order, its zero values, and nothing for a script', async () => {
    const { text, headers } = await fixture.ask('', 'GET notes/{n4}')
    const { id: collectionId } = schema.get('notes')
    expect(text).toBe(
      `{"body":"","collectionId":"${collectionId}","collectionName":"notes","created":"2026-01-04 00:00:00.000Z","data":null,"done":false,"due":"","folder":"${id('bobs')}","id":"${id('n4')}","kind":"","kinds":[],"link":"","next":"${id('n1')}","place":{"lon":0,"lat":0},"score":0,"serial":"","stars":0,"tags":[],"title":"Beta 50%_x\\\\y","updated":""}\n`,
    )
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json',
      vary: 'Origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'x-xss-protection': '1; mode=block',
    })
    const escaped = await fixture.ask('', 'GET notes/{n2}?fields=title')
    expect(escaped.text).toBe('{"title":"alpha \\u003cb\\u003e\\u0026\\u2028 it’s \\"q\\""}\n')
  })

  test.each<[Caller, string, string[]]>([
    ['', 'ann', ['collectionId', 'collectionName', 'id', 'name']],
    ['bob', 'ann', ['collectionId', 'collectionName', 'id', 'name']],
    ['ann', 'ann', ['collectionId', 'collectionName', 'email', 'id', 'name', 'phone', 'verified']],
  ])('as "%s", the account of %s: %j', async (who, whose, keys) => {
    expect(Object.keys((await fixture.ask(who, `GET people/{${whose}}`)).json)).toEqual(keys)
    const list = await fixture.ask(who, `GET people?filter=id="${id(whose)}"`)
    expect(Object.keys((list.json['items'] as object[])[0]!)).toEqual(keys)
    const expanded = await fixture.ask(who, 'GET folders/{open}?expand=owner')
    const { owner } = expanded.json['expand'] as { owner: object }
    expect(Object.keys(owner)).toEqual(keys)
  })

  test('the service is healthy, and in its own words', async () => {
    const { text } = await fixture.ask('', 'GET /health')
    expect(text).toBe('{"message":"API is healthy.","code":200,"data":{}}\n')
  })

  test('nothing went wrong', () => {
    expect(fixture.errors).toEqual([])
  })
})
