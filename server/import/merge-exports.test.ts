import { expect, test } from 'vitest'
import type { Reading } from '#shared/reading.ts'
import { ask, path } from '#tests/access/fixture.ts'
import { describeMigratedSqlite } from '#tests/databases.ts'
import { dump, goodreadsHeader, useImports } from '#tests/imports.ts'
import { openFederatedStarter } from '#tests/open-starter.ts'

const catalogue = await openFederatedStarter()

/** A library as Goodreads exports it now, and two years later. */
const older = `${goodreadsHeader}
1,Alder Almanac,Ann Author,,,0,,,2020/01/02,,to-read,,
2,Birch Ballads,Ann Author,,,0,,,2020/01/02,,currently-reading,,
3,Cedar Chronicle,Ann Author,,,3,,,2020/01/02,,read,,
4,Damson Days,Ann Author,,,0,,,2020/01/02,,to-read,,
5,Elm Elegy,Ann Author,,,0,,,2020/01/02,,dnf,,
`
const newer = `${goodreadsHeader}
1,Alder Almanac,Ann Author,,,4,,2023/07/01,2020/01/02,,read,Good,
2,Birch Ballads,Ann Author,,,5,,2022/02/03,2020/01/02,,read,,
3,Cedar Chronicle,Ann Author,,,3,,2019/05/06,2020/01/02,,read,,
4,Damson Days,Ann Author,,,0,,,2020/01/02,,currently-reading,,
5,Elm Elegy,Ann Author,,,2,,2021/01/02,2020/01/02,,read,,
`
const storyHeader = 'Title,Authors,ISBN/UID,Read Status,Star Rating,Dates Read,Tags'
const begun = `${storyHeader}\nFir Fables,Ann Author,,currently-reading,,2022/01/05-,\n`
const ended = `${storyHeader}\nFir Fables,Ann Author,,read,4.0,2022/02/09,\n`
const again = `${storyHeader}\nFir Fables,Ann Author,,currently-reading,4.0,"2022/02/09, 2024/03/01-",\n`

describeMigratedSqlite('exports of one library', (open) => {
  const of = useImports(open, catalogue)

  async function apply(file: string): Promise<string> {
    const { id } = await of.send(file)
    await of.step(id, { state: 'applying' })
    of.ahead(60_000)
    return id
  }

  async function library() {
    const readings = await of.reader.client.collection('readings').getFullList<Reading>()
    return (await of.books()).map((book) => ({
      title: book.title,
      status: book.status,
      rating: book.rating,
      review: book.review,
      readings: readings
        .filter((one) => one.book_key === book.book_key)
        .map(({ started, finished, outcome }) => `${started}..${finished} ${outcome}`)
        .toSorted(),
    }))
  }

  const rest = { review: '', rating: 0 }
  test.each([
    ['older', [older, newer]],
    ['newer', [newer, older]],
  ])('end alike, and finish what is finished, with the %s one first', async (_, files) => {
    for (const file of files) await apply(file)
    expect(await library()).toEqual([
      {
        title: 'Alder Almanac',
        status: 'completed',
        rating: 8,
        review: 'Good',
        readings: ['..2023-07-01 finished'],
      },
      {
        ...rest,
        title: 'Birch Ballads',
        status: 'completed',
        rating: 10,
        readings: ['..2022-02-03 finished'],
      },
      {
        ...rest,
        title: 'Cedar Chronicle',
        status: 'completed',
        rating: 6,
        readings: ['..2019-05-06 finished'],
      },
      { ...rest, title: 'Damson Days', status: 'reading', readings: ['.. reading'] },
      {
        ...rest,
        title: 'Elm Elegy',
        status: 'completed',
        rating: 4,
        readings: ['.. dropped', '..2021-01-02 finished'],
      },
    ])
  })

  test.each([
    [[begun, ended], 'completed', ['2022-01-05..2022-02-09 finished']],
    [[ended, begun], 'completed', ['2022-01-05..2022-02-09 finished']],
    [[ended, again], 'reading', ['..2022-02-09 finished', '2024-03-01.. reading']],
    [[again, ended], 'reading', ['..2022-02-09 finished', '2024-03-01.. reading']],
  ])(
    'join the start and the end of a reading, and begin another: %#',
    async (files, status, expected) => {
      for (const file of files) await apply(file)
      expect(await library()).toMatchObject([{ status, readings: expected }])
    },
  )

  test('change nothing the second and the third time, and are undone to the byte', async () => {
    await apply(older)
    const before = await dump(of.world, of.reader)
    const second = await apply(newer)
    const after = await dump(of.world, of.reader)
    for (const file of [newer, older, newer, older]) {
      await apply(file)
      expect(await dump(of.world, of.reader)).toBe(after)
    }
    await of.step(second, { state: 'undone' })
    expect(await dump(of.world, of.reader)).toBe(before)
  })

  test('keep the first of two ratings, and name the other', async () => {
    await apply(`${goodreadsHeader}\n1,Alder Almanac,Ann Author,,,3,,,2020/01/02,,read,,\n`)
    const again = `${goodreadsHeader}\n1,Alder Almanac,Ann Author,,,5,,,2020/01/02,,read,,\n2,Birch Ballads,Ann Author,,,2,,,2020/01/02,,read,,\n3,Birch Ballads,Ann Author,,,4,,,2020/01/02,,read,,\n`
    const read = await of.send(again)
    expect(read.warnings).toEqual({ ratingSecond: 2 })
    const rows = await of.rows(read.id)
    expect(rows.map(({ warnings }) => warnings?.map(({ params }) => params))).toEqual([
      [{ value: '5' }],
      [],
      [{ value: '4' }],
    ])
    await of.step(read.id, { state: 'applying' })
    expect(await library()).toMatchObject([{ rating: 6 }, { rating: 4 }])
  })

  test('don’t change what the reader has decided since', async () => {
    await apply(newer)
    const [alder] = await of.books()
    await of.reader.client.collection('user_books').update(alder!.id, { status: 'planning' })
    const before = await dump(of.world, of.reader)
    await apply(newer)
    expect(await dump(of.world, of.reader)).toBe(before)
  })

  const doubtful = `${goodreadsHeader}
1,Quite Another Book,A Writer,,9780141439587,0,,,2021/01/01,,read,,
2,Yet Another Book,A Writer,,9780141439518,0,,,2021/01/01,,read,,
3,Some Third Book,A Writer,,9780141439563,0,,,2021/01/01,,read,,
`
  test('don’t ask again about a row that is decided', async () => {
    const first = await of.send(doubtful)
    expect(first).toMatchObject({ doubtful: 3 })
    const rows = await of.rows(first.id)
    const own = { title: rows[0]!.read!.title, authors: rows[0]!.read!.authors }
    for (const [at, values] of [
      { state: 'matched', book: own },
      { state: 'matched', book: rows[1]!.candidates![0] },
      { state: 'skipped' },
    ].entries())
      await ask(of.reader.client, 'PATCH', path('import_rows', rows[at]!.id), values)
    await of.step(first.id, { state: 'applying' })
    const before = await dump(of.world, of.reader)
    of.ahead(60_000)
    for (let time = 0; time < 2; time++) {
      const next = await of.send(doubtful)
      expect(next).toMatchObject({ doubtful: 0, duplicate: 2, skipped: 1 })
      expect((await of.rows(next.id))[2]!.reason).toBe('You left this out of an earlier import.')
      await of.step(next.id, { state: 'applying' })
      expect(await dump(of.world, of.reader)).toBe(before)
      // What the first import knew, the next one does.
      if (time === 0) await of.reader.client.collection('imports').delete(first.id)
      await of.work()
    }
  })
})
