/** Random requests to the stage's records, most of which are answered. */

import fc from 'fast-check'
import { id, type Caller } from './fixture.ts'

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const words = (text: string) => text.split(/\s+/)
const some = (values: readonly string[], maxLength = 3) =>
  fc.uniqueArray(fc.constantFrom(...values), { maxLength }).map((chosen) => chosen.join())

/** Records that are there at first, or that the requests make, and ways to look at them. */
export interface Known {
  ids: string[]
  paths: string[]
  expand: string[]
}

const strange = [
  'hint',
  'nothing',
  'title.more',
  '@request.auth.id',
  '@collection.notes.id',
  'phone',
]
const place = (ids: readonly string[]) => pick(...ids, ...ids, 'nothing').map((short) => id(short))

const literal = fc.oneof(
  pick('""', '"a"', '"Alpha"', '"%"', '"_"', '"\\\\"', "'it’s'", '"É"', '"\u{1F4D6}"', '"\\u0000"'),
  pick('0', '1', '-2', '1.5', '5', '1e3', '99999999999999999999', '-0', '0.1', 'null', 'true'),
  pick('false', '"2026-01-02 03:04:05.678Z"', '"2026"', '"v"', '"b"', '"["', '"13.4"', '"1"'),
)
const operator = pick(...words('= != > >= < <= ~ !~ ?= ?!= ?> ?< ?~ ?!~'))
const rarely = (strange: readonly string[], usual: readonly string[]) =>
  fc.oneof({ weight: 1, arbitrary: pick(...strange) }, { weight: 25, arbitrary: pick(...usual) })

function filterOf(paths: readonly string[]) {
  const path = rarely(strange, ['id', ...paths])
  const comparison = fc
    .tuple(path, operator, fc.oneof(literal, literal, literal, path))
    .map((parts) => parts.join(' '))
  const joined = fc
    .tuple(comparison, pick('&&', '||'), comparison)
    .map(([left, join, right]) => `(${left}) ${join} ${right}`)
  return fc.oneof(comparison, joined)
}
/** What is not sorted comes as it was made, or in no order. */
const sortOf = (paths: readonly string[]) =>
  fc
    .tuple(fc.array(rarely(strange, paths), { maxLength: 2 }), pick('', '-'), pick('id', '-id'))
    .map(([order, sign, last]) => [...order.map((path) => sign + path), last].join())
const fields = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  {
    weight: 3,
    arbitrary: some(
      words(`* id title title:excerpt(3,true) body:excerpt(2) *:excerpt(4) data.k expand.*
  expand.folder.name expand.tags.* place.lon data.deep items collectionName
  expand.notes_via_folder.title hint email title:nothing()`),
    ),
  },
)
const expandOf = (expands: readonly string[]) => some([...expands, 'nothing', 'hint', ''])
const count = fc.oneof(
  pick('1', '2', '3', '1000'),
  pick('', '0', '-1', '1e2', 'abc', ' 2 ', '2.5', '9e99', '０'),
)
const listed = ({ paths, expand }: Known) =>
  fc.record(
    {
      filter: filterOf(paths),
      sort: sortOf(paths),
      fields,
      expand: expandOf(expand),
      page: pick('', '1', '1', '2', '-1', 'abc'),
      perPage: count,
      skipTotal: pick('1', 'true', 'no'),
    },
    { requiredKeys: ['sort'] },
  )
const shaped = ({ expand }: Known) =>
  fc.record({ fields, expand: expandOf(expand) }, { requiredKeys: [] })

const plainValue = fc.oneof(
  pick<unknown>('', ' padded ', 'a', 'Alpha', '5', '1.5', 'true', 'null', '[]', '["a"]', '{"k":1}'),
  pick<unknown>(null, true, false, 0, -0, 1, 4, 2.5, -3, 1e21, 1e-7, 123_456_789_012_345_680),
  pick<unknown>([], ['a'], ['a', 'a', 'b'], ['a', 'b', 'c'], [null], {}, { k: [1, null] }, [[1]]),
  pick<unknown>('2026-02-30', '2026-02-01', '2026-02-01T03:04:05+02:00', '99999', '1e3', '-'),
  pick<unknown>(
    'x\u0000y',
    '\uD800',
    '\u{1D538}é',
    'e\u0301',
    '<b>&',
    'https://good.test/é',
    'a@b.c',
  ),
  pick<unknown>({ lon: 1, lat: 2 }, { lon: 400, lat: 'x' }, '{"lon":1.50,"lat":-0}', { lat: 1 }),
)

export interface Question {
  method: string
  path: string
  query: Record<string, string>
  body?: unknown
}

export interface Questions {
  read: fc.Arbitrary<Question>
  write: fc.Arbitrary<Question>
  /** A batch of writes. */
  together: fc.Arbitrary<Question>
}

/**
 * Requests to the records of any collections.
 *
 * @param known by the names of the collections
 * @param names of those that are asked for, the usual ones several times
 * @param writable of those that are written
 * @param keys of bodies
 * @param whole what makes most bodies complete, for a record of an id
 * @param odd further values of bodies
 */
export function questionsAbout(
  known: Record<string, Known>,
  names: readonly string[],
  writable: readonly string[],
  keys: readonly string[],
  whole: (own: string) => object,
  odd: fc.Arbitrary<unknown> = plainValue,
): Questions {
  const anywhere = place(Object.values(known).flatMap(({ ids }) => ids))
  const value = fc.oneof(plainValue, anywhere, fc.array(anywhere, { maxLength: 4 }), odd)
  const body = fc
    .tuple(
      pick('x1', 'x2', 'x3', 'n1', 'x-').map((short) => id(short)),
      fc.boolean(),
      fc.dictionary(pick(...keys), value, { maxKeys: 5 }),
    )
    .map(([own, isWhole, said]) => ({ id: own, ...(isWhole && whole(own)), ...said }))
  const read: fc.Arbitrary<Question> = pick(...names).chain((name) => {
    const one = known[name]!
    const path = `/collections/${name}/records`
    const list = listed(one).map((query) => ({ method: 'GET', path, query }))
    const view = fc
      .tuple(place(one.ids), shaped(one))
      .map(([at, query]) => ({ method: 'GET', path: `${path}/${at}`, query }))
    return fc.oneof(list, list, view)
  })
  const write: fc.Arbitrary<Question> = pick(...writable).chain((name) => {
    const one = known[name]!
    const path = `/collections/${name}/records`
    const create = fc
      .tuple(body, shaped(one))
      .map(([said, query]) => ({ method: 'POST', path, query, body: said }))
    const update = fc.tuple(place(one.ids), body, shaped(one)).map(([at, said, query]) => ({
      method: 'PATCH',
      path: `${path}/${at}`,
      query,
      body: { ...said, id: undefined },
    }))
    const remove = place(one.ids).map((at) => ({
      method: 'DELETE',
      path: `${path}/${at}`,
      query: {},
    }))
    return fc.oneof(create, create, update, update, remove)
  })
  const together: fc.Arbitrary<Question> = fc
    .array(write, { minLength: 1, maxLength: 4 })
    .map((all) => ({
      method: 'POST',
      path: '/batch',
      query: {},
      body: {
        requests: all.map(({ method, path, query: shaped, body: said }) => ({
          method,
          url: `/api${path}?${new URLSearchParams(shaped)}`,
          body: said,
        })),
      },
    }))
  return { read, write, together }
}

/** What is on the stage. */
const known: Record<string, Known> = {
  notes: {
    ids: ['n1', 'n2', 'n3', 'n4', 'n5', 'x1', 'x2'],
    paths: words(`title title:lower stars score done due kind kinds kinds:each kinds:length tags
  tags.name tags.weight tags:length next next.title data data.k data.deep data.deep.0
  data.0 body link place.lon place serial folder.name folder.secret folder.owner.name
  folder.parent links_via_note.text next.next.next.title folder.notes_via_folder.stars`),
    expand: [
      'folder.owner',
      'tags',
      'next.next.folder',
      'links_via_note',
      'folder.notes_via_folder',
    ],
  },
  folders: {
    ids: ['open', 'shut', 'bobs', 'bobx', 'x1', 'x2'],
    paths: [
      'name',
      'name:lower',
      'secret',
      'owner',
      'owner.name',
      'parent.name',
      'parent.secret',
    ].concat('notes_via_folder.stars', 'notes_via_folder.tags.name', 'folders_via_parent.name'),
    expand: ['owner', 'parent', 'folders_via_parent', 'notes_via_folder.tags'],
  },
  tags: {
    ids: ['red', 'blue', 'green', 'x1', 'x2'],
    paths: ['name', 'name:lower', 'weight', 'notes_via_tags.title', 'notes_via_tags.stars'],
    expand: ['notes_via_tags', 'notes_via_tags.folder'],
  },
  links: {
    ids: ['l1', 'x1', 'x2'],
    paths: ['text', 'note', 'note.title', 'note.folder.name', 'note.tags.name'],
    expand: ['note.folder', 'note.tags'],
  },
  people: {
    ids: ['ann', 'bob'],
    paths: ['name', 'email', 'folders_via_owner.name', 'folders_via_owner.secret', 'verified'],
    expand: ['folders_via_owner', 'folders_via_owner.notes_via_folder'],
  },
  digest: { ids: ['open', 'shut', 'x1'], paths: ['name', 'notes'], expand: [] },
  vault: { ids: ['v'], paths: ['word'], expand: [] },
}
const names = [...Object.keys(known), 'notes', 'notes', 'notes', 'folders']
const keys = words(`folder folder title title stars stars+ stars- score score+ done due kind kinds
  kinds+ +kinds kinds- tags tags+ tags- next data body link place hint serial created
  name name weight weight+ owner secret parent note text nothing title:autogenerate
  data+`)
const { read, write, together } = questionsAbout(
  known,
  names,
  names.filter((name) => name !== 'people'),
  keys,
  (own) => ({ folder: id('open'), title: 'New', name: `New ${own}`, note: id('n1') }),
)
/** A request, and whose it is. */
export const step = fc.record({
  who: pick<Caller>('', 'ann', 'ann', 'ann', 'bob'),
  question: fc.oneof(
    { weight: 4, arbitrary: read },
    { weight: 3, arbitrary: write },
    { weight: 1, arbitrary: together },
  ),
})
