import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import { linesOf, openSubscribers, type Subscribers } from './subscribers.ts'
import { codesOf, id, openFixture, type Answer, type Fixture, type Caller } from './fixture.ts'

/** What a batch holds, in short: `PUT tags` or `PATCH notes/{n1}`, what is sent, and headers. */
type Part = [line: string, body?: object, headers?: object]

const numbered = '123456789012345'
const link = { note: id('n1'), text: 'new' }

describeDatabases('batches', (openDatabase) => {
  let fixture: Fixture
  let subscribers: Subscribers
  beforeAll(async () => {
    fixture = await openFixture(await openDatabase())
    subscribers = await openSubscribers(fixture)
    return () => fixture.records.close()
  })
  beforeEach(async () => {
    await fixture.reset()
    await subscribers.received()
  })

  function send(who: Caller, parts: readonly Part[]): Promise<Answer> {
    const requests = parts.map(([line, body, headers]) => {
      const [method, path = ''] = line.split(' ')
      const [place = '', query] = path.split('?')
      const withIds = place.replaceAll(/\{(\w+)\}/g, (_, short: string) => id(short))
      const [name, record] = withIds.split('/')
      const url = `/api/collections/${name}/records${record ? `/${record}` : ''}${query ? `?${query}` : ''}`
      return { method, url, body, headers }
    })
    return fixture.ask(who, 'POST /batch', { requests })
  }

  /** The statuses of its parts, or which of them failed with what. */
  function outcome({ status, text, json }: Answer): string {
    if (status === 200)
      return (JSON.parse(text) as { status: number }[]).map((one) => one.status).join(' ')
    const { requests = {} } = json['data'] as { requests?: Record<string, { response: object }> }
    const [[index, failed] = ['', undefined]] = Object.entries(requests)
    const response = failed?.response as { status: number; data: object } | undefined
    return `${index}: ${JSON.stringify(response && codesOf({ ...response, json: response } as never))}`
  }

  const told = (...lines: string[]) => ({ '': lines, ann: lines, bob: lines })
  const silence = told()

  test.each<[Caller, Part[], string, Record<Caller, string[]>]>([
    [
      '',
      [
        ['POST tags', { id: id('new'), name: 'New' }],
        ['PATCH tags/{new}', { weight: 2 }],
      ],
      '200 200',
      // Of several changes of one record the batch's own is told.
      told('create tags/new'),
    ],
    ['', [['POST tags', { name: 'New' }], ['DELETE tags/{none}']], '1: 404', silence],
    [
      '',
      [['DELETE tags/{green}']],
      '204',
      { ...told('delete tags/green'), ann: ['delete tags/green', 'update notes/n3'] },
    ],
    ['', [['PUT tags', { id: id('red'), weight: 9 }]], '200', told('update tags/red')],
    ['', [['PUT tags', { id: id('red'), name: 'Red' }]], '200', silence],
    ['', [['PUT tags', { id: id('new'), name: 'New' }]], '200', told('create tags/new')],
    ['', [['PUT tags', { id: 'short', name: 'New' }]], '0: {"id":"min_text_constraint"}', silence],
    [
      '',
      [
        ['PUT tags', { id: Number(numbered), name: 'New' }],
        ['PUT tags', { id: Number(numbered), weight: 3 }],
        ['PUT tags', { id: numbered, weight: 4 }],
      ],
      '200 200 200',
      told(`create tags/${numbered}`),
    ],
    [
      '',
      [
        ['POST tags', { name: 'Red' }],
        ['POST tags', { name: '' }],
      ],
      '0: {"name":"not_unique"}',
      silence,
    ],
    ['', [['PATCH notes/{n1}', { title: 'x' }]], '0: 404', silence],
    ['bob', [['PUT notes', { id: id('n1'), title: 'x' }]], '0: 404', silence],
    ['bob', [['PUT notes', { id: id('n3'), title: 'x' }]], '0: 404', silence],
    [
      'ann',
      [['PUT notes', { id: id('n3'), stars: 1 }]],
      '200',
      { ...silence, ann: ['update notes/n3'] },
    ],
    [
      'ann',
      [
        ['PATCH folders/{shut}', { secret: false }],
        ['PATCH notes/{n3}', { stars: 1 }],
      ],
      '200 200',
      told('update folders/shut', 'update notes/n3'),
    ],
    [
      'ann',
      [
        ['PATCH notes/{n1}', { stars: 1 }],
        ['PATCH folders/{open}', { secret: true }],
      ],
      '200 200',
      { ...silence, ann: ['update folders/open', 'update notes/n1'] },
    ],
    ['', [['POST vault', { word: 'x' }]], '0: 403', silence],
    ['', [['POST digest', { name: 'x' }]], '0: 400', silence],
    ['', [['POST nothing', {}]], '0: 404', silence],
    ['', [['PATCH links/{l1}', link, { 'X-Key': 'k' }]], '200', told('update links/l1')],
    ['', [['PATCH links/{l1}', link, { 'X-Key': 'other' }]], '0: 404', silence],
    // What no request could have as a header is none.
    ['', [['PATCH links/{l1}', link, { 'X-Key': '€' }]], '0: 404', silence],
    ['', [['PATCH links/{l1}', link, { 'X-Key': 'k\n' }]], '0: 404', silence],
    ['', [['PATCH links/{l1}', link, { 'X-Key': 5, 'x key': 'k', '€': 'k' }]], '0: 404', silence],
  ])('as "%s", %j: %s', async (who, parts, expected, events) => {
    const answer = await send(who, parts)
    expect(outcome(answer), answer.text).toBe(expected)
    expect(who === '' && answer.text.includes('canary')).toBe(false)
    expect(linesOf(await subscribers.received())).toEqual(events)
  })

  test('the answer has one line a request, in its order and in the form it asks for', async () => {
    const { text } = await send('', [
      ['POST tags?fields=name', { name: 'New' }],
      ['PATCH tags/{red}?fields=weight,name', { weight: 5 }],
      ['DELETE tags/{blue}'],
      ['PUT links?expand=note.folder&fields=expand.note.expand.folder.name', link],
    ])
    const note = '{"expand":{"folder":{"name":"Open"}}}'
    expect(text).toBe(
      `[{"body":{"name":"New"},"status":200},{"body":{"name":"Red","weight":5},"status":200},{"body":null,"status":204},{"body":{"expand":{"note":${note}}},"status":200}]\n`,
    )
    const lines = linesOf(await subscribers.received())
    // Two notes lose the tag: one for everyone, one that is Bob's alone.
    const heard = (own: readonly string[]) => [
      expect.stringMatching(/^create links\//),
      expect.stringMatching(/^create tags\//),
      'delete tags/blue',
      ...own,
      'update tags/red',
    ]
    expect(lines).toEqual({
      '': heard(['update notes/n1']),
      ann: heard(['update notes/n1']),
      bob: heard(['update notes/n1', 'update notes/n5']),
    })
  })

  test('the answer as a whole has a form, too, which is known before anything is written', async () => {
    const requests = [
      { method: 'POST', url: '/api/collections/tags/records', body: { name: 'New' } },
      { method: 'DELETE', url: `/api/collections/tags/records/${id('blue')}` },
    ]
    const whole = (fields: string) => fixture.ask('', `POST /batch?fields=${fields}`, { requests })
    expect((await whole('body.name:excerpt(0)')).status).toBe(400)
    expect(linesOf(await subscribers.received())).toEqual(silence)
    const { text } = await whole('status,body.name')
    expect(text).toBe('[{"body":{"name":"New"},"status":200},{"body":null,"status":204}]\n')
  })

  describe('at the same time', () => {
    const twelve = Array.from({ length: 12 }, (_, i) => i)

    test('those who make one record by its id make it once, and then change it', async () => {
      const answers = await Promise.all(
        twelve.map((weight) => send('', [['PUT tags', { id: id('new'), name: 'New', weight }]])),
      )
      expect(answers.map(outcome)).toEqual(twelve.map(() => '200'))
      const lines = linesOf(await subscribers.received())[''] ?? []
      expect(lines.filter((line) => line === 'create tags/new')).toHaveLength(1)
    })

    test('those who make it and those who remove it leave it or not, and nobody fails', async () => {
      const answers = await Promise.all(
        twelve
          .slice(0, 6)
          .map((i) =>
            i % 2
              ? fixture.ask('', 'DELETE tags/{new}')
              : send('', [['PUT tags', { id: id('new'), name: 'New', weight: i }]]),
          ),
      )
      const made = answers.filter((_, i) => i % 2 === 0)
      expect(new Set(made.map(({ status }) => status))).toEqual(new Set([200]))
      const removed = answers.filter((_, i) => i % 2)
      for (const { status } of removed) expect([204, 404]).toContain(status)
      // Whatever came first: it comes and goes in turn, as often as was answered, for all alike.
      const told = await subscribers.received()
      const { '': lines } = linesOf(told)
      const count = (line: string) => lines!.filter((one) => one === line).length
      const gone = removed.filter(({ status }) => status === 204).length
      expect(count('delete tags/new')).toBe(gone)
      const isThere = (await fixture.ask('', 'GET tags/{new}')).status === 200
      expect(count('create tags/new')).toBe(gone + Number(isThere))
      expect(linesOf(told)).toEqual({ '': lines, ann: lines, bob: lines })
    })
  })

  test('nothing went wrong', () => {
    expect(fixture.errors).toEqual([])
  })
})
