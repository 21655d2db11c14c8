import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type PocketBase from 'pocketbase'
import type { DiaryPage } from '#shared/diary.ts'
import type { Goal, GoalList } from '#shared/goal.ts'
import { formats, goalKinds, outcomes, type Reading } from '#shared/reading.ts'
import type { Figure, FigureId, ReadingPart, Statistics } from '#shared/statistics.ts'
import { tagKey } from '#shared/tags.ts'
import {
  addBook,
  addShelf,
  ask,
  openFixture,
  type Fixture,
  type Reader,
} from '#tests/access/fixture.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'

const authors = [
  'Ann Author',
  'ann author',
  `Q. "Quote" O'Brien`,
  'Zoë Émile',
  '村上 春樹',
] as const
const genres = ['Fiction', 'C++', 'C#', 'Sci-Fi', 'sci fi', '%', '\\%', '_'] as const
const tags = ['beach', 'Beach', 'C#'] as const
const days = [
  '',
  '2023',
  '2023-05',
  '2023-05-17',
  '2023-12-31',
  '2024',
  '2024-01-01',
  '2024-02-29',
  '2024-12-31',
] as const

const book = fc.record({
  authors: fc.subarray([...authors]),
  genres: fc.subarray([...genres]),
  tags: fc.subarray([...tags]),
  language: fc.constantFrom('', 'eng', 'jpn'),
  published: fc.constantFrom('', '1000', '1899', '1890-05', '1900-01-01', '1999', '2000'),
  series: fc.constantFrom('', 'A series'),
  isPrivate: fc.boolean(),
  isOnPublicShelf: fc.boolean(),
  isRemoved: fc.constantFrom(false, false, true),
  readings: fc.array(
    fc.record({
      finished: fc.constantFrom(...days),
      outcome: fc.constantFrom(...outcomes, 'finished' as const),
      format: fc.constantFrom('' as const, ...formats),
      pages: fc.constantFrom(0, 1, 149, 150, 799, 800, 2000),
      minutes: fc.constantFrom(0, 90),
      rating: fc.constantFrom(0, 1, 7.5, 10),
      uncounted: fc.constantFrom(false, false, false, true),
    }),
    { maxLength: 4 },
  ),
})

/** Filters of goals, and what they select. */
const filters: Record<string, (reading: Reading) => boolean> = {
  '': () => true,
  'rating > 5 // or more': ({ rating }) => rating > 5,
  'genres:folded ~ "sci fi" || pages = 800': ({ genres, pages }) =>
    pages === 800 || genres.some((name) => tagKey(name) === 'sci fi'),
}
const firstAndLastDays = [
  '2023-01-01',
  '2023-05-01',
  '2023-05-17',
  '2023-05-31',
  '2023-12-30',
  '2023-12-31',
  '2024-01-01',
  '2024-02-28',
  '2024-02-29',
  '2024-12-31',
]

const goal = fc.record({
  kind: fc.constantFrom(...goalKinds),
  filter: fc.constantFrom(...Object.keys(filters)),
  isPrivate: fc.boolean(),
  days: fc.array(fc.constantFrom(...firstAndLastDays), { minLength: 2, maxLength: 2 }),
})

/** The figures whose bars the diary can list, and by what. */
const listed: Partial<Record<FigureId, ReadingPart>> = {
  by_month: 'period',
  by_year: 'period',
  by_rating: 'rating',
  by_genre: 'genre',
  by_author: 'author',
  by_length: 'length',
  by_format: 'format',
  by_language: 'language',
  by_published: 'published',
}

const years = [undefined, '2023', '2024', '1999']

/** Which books count: as a query, and said without SQL. */
interface Narrowing {
  query: Record<string, string>
  keeps: (reading: Reading) => boolean
}

const library = fc.array(book, { minLength: 4, maxLength: 8 })
const goals = fc.array(goal, { minLength: 2, maxLength: 6 })
const runs = Number(process.env['PROPERTY_RUNS'] ?? 5)

describeMigratedDatabases('the statistics of any readings', (open) => {
  let fixture: Fixture
  let names = 0

  beforeAll(async () => {
    fixture = await openFixture(await open())
    return () => fixture.close()
  })

  test('are what the lists behind them show', { timeout: 24_000 * runs }, async () => {
    await fc.assert(
      fc.asyncProperty(library, goals, async (plan, aims) => {
        const reader = await fixture.reader(`reader-${++names}`)
        const shelves = {
          true: (await addShelf(reader, 'Open')).id,
          false: (await addShelf(reader, 'Closed', 'private')).id,
        }
        const books = new Map<string, { tags: readonly string[]; shelf: string }>()
        for (const [n, { readings, isRemoved, isOnPublicShelf, ...one }] of plan.entries()) {
          const on = shelves[`${isOnPublicShelf}`]
          const { id, book_key } = await addBook(reader, on, {
            ...one,
            title: `Book ${n}`,
            status: 'planning',
          })
          for (const reading of readings) {
            const finished = reading.outcome === 'reading' ? '' : reading.finished
            const form = { ...reading, finished, book_key }
            await reader.client.collection('readings').create(form)
          }
          if (isRemoved) await reader.client.collection('user_books').delete(id)
          else books.set(book_key!, { tags: one.tags, shelf: on })
        }
        for (const { days, ...aim } of aims) {
          const [from, to] = days.toSorted()
          await reader.client.collection('goals').create({ ...aim, from, to, target: 1 })
        }
        await compareGoals(reader)
        const someTags = ({ book_key }: Reading) => books.get(book_key)?.tags.map(tagKey) ?? []
        const narrowings: Narrowing[] = [
          { query: {}, keeps: () => true },
          { query: { format: 'audio' }, keeps: ({ format }) => format === 'audio' },
          { query: { format: 'unknown' }, keeps: ({ format }) => format === '' },
          {
            query: { genre: 'SCI FI' },
            keeps: ({ genres }) => genres.some((name) => tagKey(name) === 'sci fi'),
          },
          { query: { tag: 'BEACH' }, keeps: (one) => someTags(one).includes('beach') },
          ...Object.values(shelves).map((shelf) => ({
            query: { shelf },
            keeps: ({ book_key }: Reading) => books.get(book_key)?.shelf === shelf,
          })),
          {
            query: { shelf: shelves.true, tag: 'c#', format: 'print' },
            keeps: (one) =>
              books.get(one.book_key)?.shelf === shelves.true &&
              someTags(one).includes('c#') &&
              one.format === 'print',
          },
        ]
        for (const client of [reader.client, fixture.visitor()])
          for (const narrowing of narrowings)
            for (const year of narrowing === narrowings[0] ? years : years.slice(0, 2))
              for (const [got, wanted] of await compared(client, reader, year, narrowing))
                expect(got).toEqual(wanted)
      }),
      { numRuns: runs },
    )
  })

  async function compareGoals({ client, id: user, username }: Reader): Promise<void> {
    const visitor = fixture.visitor()
    const readingsFor = (viewer: PocketBase) =>
      viewer
        .collection<Reading>('readings')
        .getFullList({ filter: viewer.filter('user = {:user}', { user }) })
    const [own, open] = [await readingsFor(client), await readingsFor(visitor)]
    for (const viewer of [client, visitor]) {
      const { body } = await ask(viewer, 'GET', `/api/v1/users/${username}/goals`)
      for (const one of (body as { data: GoalList }).data.goals) {
        const { isPrivate, counted, kind, value } = one
        expect({ ...one, value }).toEqual({ ...one, value: reached(one, isPrivate ? own : open) })
        if (kind !== 'books') continue
        const { totalItems } = await (isPrivate ? client : visitor)
          .collection('readings')
          .getList(1, 1, { filter: counted })
        expect({ counted, totalItems }).toEqual({ counted, totalItems: value })
      }
    }
  }

  /** @returns what is answered, each with what it has to be */
  async function compared(
    client: PocketBase,
    { id: user, username }: Reader,
    year: string | undefined,
    { query: narrowed, keeps }: Narrowing,
  ): Promise<[got: unknown, wanted: unknown][]> {
    const path = `/api/v1/users/${username}`
    const form = new URLSearchParams({ ...narrowed, ...(year && { year }) })
    const { body } = await ask(client, 'GET', `${path}/stats?${form.toString()}`)
    const { figures } = (body as { data: Statistics }).data
    const records = client.collection<Reading>('readings')
    const all = await records.getFullList({ filter: client.filter('user = {:user}', { user }) })
    const wanted: Record<string, unknown> = countAll(all.filter(keeps), year)
    // Who is new among some books may have been read before in others.
    if (Object.keys(narrowed).length > 0) delete wanted['new_authors']
    const got = figures
      .filter(({ id }) => id in wanted)
      .map(({ id, value, parts }) => [id, typeof wanted[id] === 'number' ? value : valuesOf(parts)])
    expect(figures.some(({ id }) => id === 'by_status')).toBe(form.size === 0)
    const found: [unknown, unknown][] = [
      [
        { narrowed, year, ...Object.fromEntries(got) },
        { narrowed, year, ...wanted },
      ],
    ]
    for (const { id, value, unit, of, filter, parts } of figures) {
      if (unit !== 'count') continue
      for (const bar of of === '' ? [] : [{ value, filter }, ...parts]) {
        const { totalItems } = await client.collection(of).getList(1, 1, { filter: bar.filter })
        found.push([{ ...bar, value: totalItems }, bar])
      }
      const by = listed[id]
      for (const { key, value } of by ? parts : []) {
        const query = new URLSearchParams({ ...narrowed, by: by!, key })
        if (year && id !== 'by_year') query.set('year', year)
        const answer = await ask(client, 'GET', `${path}/diary?${query.toString()}`)
        const { items } = (answer.body as { data: DiaryPage }).data
        found.push([
          { narrowed, id, key, value: items.length },
          { narrowed, id, key, value },
        ])
      }
    }
    return found
  }
})

/** @returns how far a goal is, said without SQL: a date counts if all of its days are within */
function reached({ kind, from, to, filter }: Goal, all: readonly Reading[]): number {
  const lastDay = (date: string) => {
    const [year = 0, month = 12, day] = date.split('-').map(Number)
    return day ? date : new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  }
  const counted = all.filter(
    (reading) =>
      reading.outcome === 'finished' &&
      !reading.uncounted &&
      reading.finished !== '' &&
      `${reading.finished}-01-01`.slice(0, 10) >= from &&
      lastDay(reading.finished) <= to &&
      filters[filter]!(reading),
  )
  if (kind === 'books') return counted.length
  return counted
    .filter(({ format }) => (format === 'audio') === (kind === 'minutes'))
    .reduce((sum, reading) => sum + reading[kind], 0)
}

const valuesOf = (parts: Figure['parts']) =>
  Object.fromEntries(parts.map(({ key, value }) => [tagKey(key), value]))

/** What the readings come to, said without SQL. */
function countAll(all: readonly Reading[], year: string | undefined) {
  const isIn = ({ finished }: Reading) => !year || finished.slice(0, 4) === year
  const counted = all.filter(({ uncounted }) => !uncounted)
  const ever = counted.filter(({ outcome }) => outcome === 'finished')
  const finished = ever.filter(isIn)
  const read = finished.filter(({ format }) => format !== 'audio')
  const rated = finished.filter(({ rating }) => rating > 0)
  const periodOf = ({ finished }: Reading) =>
    year ? (finished.length > 4 ? finished.slice(0, 7) : 'unknown') : finished.slice(0, 4)
  const tally = (
    readings: readonly Reading[],
    keysOf: (reading: Reading) => readonly string[],
    valueOf: (reading: Reading) => number = () => 1,
  ) => {
    const sums: Record<string, number> = {}
    for (const reading of readings)
      for (const key of new Set(keysOf(reading).map((name) => tagKey(name || 'unknown'))))
        sums[key] = (sums[key] ?? 0) + valueOf(reading)
    return sums
  }
  const lengths = Map.groupBy(read, ({ book_key }) => book_key)
  const longest = [...lengths.values()].map((some) => Math.max(...some.map(({ pages }) => pages)))
  const known = longest.filter((pages) => pages > 0)
  const namesOf = (readings: readonly Reading[]) =>
    new Set(readings.flatMap(({ authors }) => authors.map(tagKey)))
  const earlier = ever.filter(({ finished }) => finished < (year ?? ''))
  return {
    books: finished.length,
    different_books: new Set(finished.map(({ book_key }) => book_key)).size,
    rereads: finished.filter(({ is_reread }) => is_reread).length,
    dropped: counted.filter((one) => one.outcome === 'dropped' && isIn(one)).length,
    average_rating: rated.reduce((sum, { rating }) => sum + rating, 0) / (rated.length || 1),
    average_pages: known.reduce((sum, pages) => sum + pages, 0) / (known.length || 1),
    pages: tally(
      read,
      (one) => [periodOf(one)],
      ({ pages }) => pages,
    ),
    minutes: tally(
      finished.filter(({ format }) => format === 'audio'),
      (one) => [periodOf(one)],
      ({ minutes }) => minutes,
    ),
    by_year: tally(ever, ({ finished }) => [finished.slice(0, 4)]),
    ...(year && { by_month: tally(finished, (one) => [periodOf(one)]) }),
    by_rating: tally(finished, ({ rating }) => [rating ? String(rating) : 'unknown']),
    by_format: tally(finished, ({ format }) => [format]),
    by_language: tally(finished, ({ language }) => [language]),
    by_published: tally(finished, ({ published }) => [published && `${published.slice(0, 3)}0`]),
    by_genre: tally(finished, ({ genres }) => genres),
    by_author: tally(finished, ({ authors }) => authors),
    ...(year && { new_authors: namesOf(finished).difference(namesOf(earlier)).size }),
  }
}
