import { expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import type { Database } from '../database/database.ts'
import { requestOf, schema, storeRecord, seedRecords } from '../records.fixture.ts'
import { listRecords } from '../read/read.ts'

async function found(db: Database, filter: string): Promise<string[]> {
  const params = { page: 1, perPage: 30, skipTotal: true, sort: 'id', filter }
  const notes = schema.get('notes')
  const { json } = await listRecords(db, schema, notes, requestOf(), params)
  return (JSON.parse(json) as { items: { id: string }[] }).items.map(({ id }) => id)
}

const parts = '%d %e %f %F %g %G %H %I %j %k %l %m %M %p %P %R %s %S %T %u %U %V %w %W %Y'
const last = '9999-12-31 23:59:59.999Z'
const first = '0001-01-01 00:00'

type Line<Moment> = readonly [moment: Moment, args: readonly string[], said: string | null]

const storedTexts: readonly Line<string>[] = [
  // Each specifier, on a Sunday, at the end of a leap year, and on a Monday.
  [
    '2023-01-01 00:00:00.000Z',
    [parts],
    '01  1 00.000 2023-01-01 22 2022 00 12 001  0 12 01 00 AM am 00:00 1672531200 00 00:00:00 7 01 52 0 00 2023',
  ],
  [
    '2024-12-31 13:09:59.999Z',
    [parts],
    '31 31 59.999 2024-12-31 25 2025 13 01 366 13  1 12 09 PM pm 13:09 1735650599 59 13:09:59 2 52 01 2 53 2024',
  ],
  [
    '2018-01-01 12:00:00.000Z',
    [parts],
    '01  1 00.000 2018-01-01 18 2018 12 12 001 12 12 01 00 PM pm 12:00 1514808000 00 12:00:00 1 00 01 1 01 2018',
  ],
  ['2018-01-01 12:00:00.000Z', ['%J'], '2458120'],
  ['2024-12-31 18:00', ['%J'], '2460676.25'],
  ['2024-12-31 13:09:59.999Z', ['%J'], '2460676.048611099'],
  ['2019-01-01', ['%U %W'], '00 00'],
  ['2026-01-02', [''], ''],
  ['2026-01-02', ['at %Y%%, it is'], 'at 2026%, it is'],
  ['2026-01-02', ['no specifier'], 'no specifier'],
  // The formats of a stored moment. A day past the end of the month runs into the next.
  ['2026-02-31', ['%F %T'], '2026-03-03 00:00:00'],
  ['2026-02-03 10:11', ['%F %T'], '2026-02-03 10:11:00'],
  ['2026-02-03T10:11Z', ['%F %T'], '2026-02-03 10:11:00'],
  ['2026-02-03T10:11:12', ['%F %H %f'], '2026-02-03 10 12.000'],
  [first, ['%F %T'], '0001-01-01 00:00:00'],
  [last, ['%F %R %f'], '9999-12-31 23:59 59.999'],
  ['2026-02-03 10:11:12.3', ['%F'], null],
  ['2026-02-03 24:00', ['%F'], null],
  ['2026-02-03 23:60', ['%F'], null],
  ['0000-12-31', ['%F'], null],
  ['2026-13-01', ['%F'], null],
  ['2026-00-01', ['%F'], null],
  ['2026-01-00', ['%F'], null],
  ['2026-01-32', ['%F'], null],
  // Modifiers, applied in order.
  ['2026-01-31 03:04:05.678Z', ['%F %T', '+1 month'], '2026-03-03 03:04:05'],
  ['2024-02-29 03:04:05.678Z', ['%F %T', '-1 year'], '2023-03-01 03:04:05'],
  ['2026-01-31 03:04:05.678Z', ['%F %H %f', '+1 day'], '2026-02-01 03 05.678'],
  ['2026-01-31 03:04:05.678Z', ['%F %R', '-1.5 hours'], '2026-01-31 01:34'],
  ['2026-01-31 03:04:05.678Z', ['%R', '90 minutes'], '04:34'],
  ['2026-01-31 03:04:05.678Z', ['%f', '+1.25 seconds'], '06.928'],
  ['2026-01-31 03:04:05.678Z', ['%f', '+0.0005 seconds'], '05.679'],
  ['2026-01-31 03:04:05.678Z', ['%f', '-0.0005 seconds'], '05.677'],
  ['2026-01-31 03:04:05.678Z', ['%f', '+0.0004 seconds'], '05.678'],
  ['2026-01-31 03:04:05.678Z', ['%F %R', '01:02'], '2026-01-31 04:06'],
  ['2026-01-31 03:04:05.678Z', ['%R:%f', '-01:02:03.5'], '02:02:02.178'],
  ['2026-01-31 03:04:05.678Z', ['%F %R:%f', '+0001-02-03'], '2027-04-03 03:04:05.678'],
  ['2026-01-31 03:04:05.678Z', ['%F %R:%f', '-0001-02-03'], '2024-11-28 03:04:05.678'],
  ['2026-01-31 03:04:05.678Z', ['%F %R:%f', '-0001-02-03 04:05:06.7'], '2024-11-27 22:58:58.978'],
  ['2026-03-31 03:04:05.678Z', ['%F %R:%f', 'start of day'], '2026-03-31 00:00:00.000'],
  ['2026-03-31 03:04:05.678Z', ['%F %R:%f', 'start of month'], '2026-03-01 00:00:00.000'],
  ['2026-03-31 03:04:05.678Z', ['%F %R:%f', 'start of year'], '2026-01-01 00:00:00.000'],
  ['2026-03-31 03:04:05.678Z', ['%F %T', 'weekday 2'], '2026-03-31 03:04:05'],
  ['2026-03-31 03:04:05.678Z', ['%F', 'weekday 1'], '2026-04-06'],
  ['2026-03-31 03:04:05.678Z', ['%F', 'weekday 3'], '2026-04-01'],
  ['2026-03-31 03:04:05.678Z', ['%F', 'weekday 0'], '2026-04-05'],
  ['9999-12-31 23:59:59.999Z', ['%F', 'weekday 4', '-40 days'], '9999-11-27'],
  ['9999-12-31 23:59:59.999Z', ['%F', 'weekday 4', '-1 months'], null],
  ['2026-03-31 03:04:05.678Z', ['%F', 'start of month', ' -1 DAY '], '2026-02-28'],
  [
    '2026-03-31 03:04:05.678Z',
    ['%F %T', '+1 day', 'start of day', '+1 hour'],
    '2026-04-01 01:00:00',
  ],
  // Only the result of consecutive time steps must be in the supported range.
  [last, ['%F', '+1 day', '-1 day'], '9999-12-31'],
  [last, ['%F', '+1 day'], null],
  [last, ['%F', '+0.001 seconds'], null],
  [last, ['%F', '+0.001 seconds', 'start of day', '-1 day'], null],
  [last, ['%F', '+1 day', 'start of day', '-2 days'], null],
  [last, ['%F', '+1 month', 'start of year', '-1 year'], null],
  [first, ['%F', '-1 day'], null],
  [first, ['%F', '-1 day', '+1 day'], '0001-01-01'],
  ['2026-03-31 03:04:05.678Z', ['%F', '+1460000 days'], '6023-08-04'],
  ['2026-03-31 03:04:05.678Z', ['%F', '+2000 years', '+730000 days'], '6024-12-01'],
]

const numbers: readonly Line<number>[] = [
  [2_440_587.5, ['%F %T %f'], '1970-01-01 00:00:00 00.000'],
  [2_461_042.75, ['%F %T %f'], '2026-01-02 06:00:00 00.000'],
  [1_721_425.5, ['%F'], '0001-01-01'],
  [1_721_425.4, ['%F'], null],
  [5_373_484.49, ['%F'], '9999-12-31'],
  [5_373_484.5, ['%F'], null],
  [1e20, ['%F'], null],
  [-1e20, ['%F'], null],
  [1e20, ['%F', 'unixepoch'], null],
  [1_700_000_000.25, ['%F %H %f', 'unixepoch'], '2023-11-14 22 20.250'],
  [1.0006, ['%f', 'unixepoch'], '01.001'],
  [-1.5, ['%F %f', 'unixepoch'], '1969-12-31 58.500'],
  [-62_135_596_800, ['%F', 'unixepoch'], '0001-01-01'],
  [-62_135_596_801, ['%F', 'unixepoch'], null],
  [253_402_300_799, ['%F', 'unixepoch'], '9999-12-31'],
  [253_402_300_800, ['%F', 'unixepoch'], null],
  [1_700_000_000, ['%F', 'unixepoch', '+1 day'], '2023-11-15'],
]

/** A filter accepts more formats than records have. */
const saidTexts: readonly Line<string>[] = [
  ['2026-05-06 01:02:03.4567Z', ['%F %T %f'], '2026-05-06 01:02:03 03.456'],
  ['2026-05-06T01:02:03.5', ['%F %T %f'], '2026-05-06 01:02:03 03.500'],
  ['2026-05-06t01:02z', ['%F %T'], '2026-05-06 01:02:00'],
  ['2026-05-06 01:02+01:30', ['%F %T %f'], '2026-05-05 23:32:00 00.000'],
  ['2026-05-06 01:02-02:45', ['%F %T %f'], '2026-05-06 03:47:00 00.000'],
  ['2026-05-06', ['%F %T'], '2026-05-06 00:00:00'],
  ['12:34', ['%F %T'], '2000-01-01 12:34:00'],
  ['12:34:56.7', ['%F %T %f'], '2000-01-01 12:34:56 56.700'],
  ['2440587.5', ['%F'], '1970-01-01'],
  ['1700000000', ['%F', 'unixepoch'], '2023-11-14'],
  ['0001-01-01 00:00', ['%F'], '0001-01-01'],
  ['0001-01-01 00:00+00:01', ['%F'], null],
  ['9999-12-31 23:59:59.999', ['%F'], '9999-12-31'],
  ['9999-12-31 23:59:59.999-00:01', ['%F'], null],
  ['0000-01-01', ['%F'], null],
  ['', ['%F'], null],
  ['noon', ['%F'], null],
  ['2026-5-6', ['%F'], null],
  ['2026-05-06 1:02', ['%F'], null],
  ['2026-05-06 01:02+15:00', ['%F'], null],
  ['x2026-05-06', ['%F'], null],
  ['2026-05-06x', ['%F'], null],
  ['12:34', ['%F', 'unixepoch'], null],
]

/** A filter that finds the note whose moment is formatted like that. */
function writes(id: string, moment: string, args: readonly string[], said: string | null): string {
  const [format, ...modifiers] = args.map((arg) => JSON.stringify(arg))
  const call = `strftime(${[format, moment, ...modifiers].join(', ')})`
  return `id = "${id}" && ${call} = ${JSON.stringify(said)}`
}

describeDatabases('functions of filters', (open) => {
  test('return the same on both databases', async () => {
    const db = await open()
    await seedRecords(db)
    const berlin = { lon: 13.405, lat: 52.52 }
    await storeRecord(db, 'notes', [
      { id: 'here', owner: 'ann', folder: 'open', place: berlin, stars: 1_767_323_045, data: 0.5 },
      { id: 'none', owner: 'ann', folder: 'open', data: { lon: 'x' } },
      { id: 'day', owner: 'ann', folder: 'open', data: { day: '2026-01-02 03:04' } },
      { id: 'far', owner: 'ann', folder: 'open', place: { lon: 180, lat: 0 } },
    ])
    // Berlin to Paris is 878 km.
    for (const [filter, ids] of [
      ['id = "here" && geoDistance(place.lon, place.lat, 2.3522, 48.8566) < 878', ['here']],
      ['id = "here" && geoDistance(place.lon, place.lat, 2.3522, 48.8566) < 877', []],
      ['geoDistance(place.lon, place.lat, 13.405, 52.52) = 0', ['here']],
      ['id = "none" && geoDistance(data.lon, 0, 0, 0) = null', ['none']],
      ['id = "none" && geoDistance(0, 0, 180, 0) > 20015', ['none']],
      ['id = "none" && geoDistance(data.lon, 0, 0, 0) != 5', ['none']],
      ['id = "n1" && geoDistance(@now, 0, 0, 0) = null', ['n1']],
      ['strftime("%Y-%m", due) = "2026-01"', ['n4']],
      ['strftime("%Y", due) = 2026', ['n4']],
      ['strftime("it\'s 5%% of %d", due) = "it\'s 5% of 02"', ['n4']],
      [
        'strftime("%F %T", due, "start of month", "+1 month", "-1 day") = "2026-01-31 00:00:00"',
        ['n4'],
      ],
      ['strftime("%F %f", due, "+0001-02-03 04:05") = "2027-03-05 05.678"', ['n4']],
      ['strftime("%R", due, "-05:30") = "21:34"', ['n4']],
      ['id = "n4" && strftime("%F", due, "-4000 years") = null', ['n4']],
      ['strftime("%T", stars, "unixepoch") = "03:04:05"', ['here']],
      ['id = "here" && strftime("%F", data, "unixepoch") = "1970-01-01"', ['here']],
      ['id = "n1" && strftime("%F", stars) = ""', ['n1']],
      ['id = "n1" && strftime("%F", title) = null', ['n1']],
      ['id = "n1" && strftime("%F", "2026-05-06T23:30:00-02:00") = "2026-05-07"', ['n1']],
      ['id = "n1" && strftime("%s", 1700000000.25, "unixepoch") = "1700000000"', ['n1']],
      ['id = "n1" && strftime("%T", 2461042.75) = "06:00:00"', ['n1']],
      ['id = "n1" && strftime("%Y") = @year && strftime("%Y", "now") = @year', ['n1']],
      ['id = "n1" && strftime("%F", @todayStart) = strftime("%F")', ['n1']],
      ['strftime("%Y", strftime("%F", due)) = "2026"', ['n4']],
      ['id = "n1" && strftime("%F", data.day) = null', ['n1']],
      ['id = "day" && strftime("%F", data.day) = "2026-01-02"', ['day']],
      ['id = "far" && geoDistance(place.lon, 0, 180, 0) = 0', ['far']],
      ['id = "far" && geoDistance(place.lon, place.lat, 0, 0) > 20015', ['far']],
      ['id = "far" && geoDistance(0, 0.000000001, 0, 0) < 0.001', ['far']],
      ['id = "n1" && geoDistance(@year, 0, @year, 0) = 0', ['n1']],
    ] as const)
      expect({ filter, ids: await found(db, filter) }).toEqual({ filter, ids })
  })

  test('strftime formats values of records', async () => {
    const db = await open()
    await seedRecords(db)
    const note = { owner: 'ann', folder: 'open' }
    const texts = storedTexts.map(([title], i) => ({ ...note, id: `t${i}`, title }))
    await storeRecord(db, 'notes', texts)
    await storeRecord(
      db,
      'notes',
      numbers.map(([stars], i) => ({ ...note, id: `s${i}`, stars })),
    )
    for (const [i, [, args, said]] of storedTexts.entries()) {
      const filter = writes(`t${i}`, 'title', args, said)
      expect({ filter, ids: await found(db, filter) }).toEqual({ filter, ids: [`t${i}`] })
    }
    for (const [i, [, args, said]] of numbers.entries()) {
      const filter = writes(`s${i}`, 'stars', args, said)
      expect({ filter, ids: await found(db, filter) }).toEqual({ filter, ids: [`s${i}`] })
    }
  })

  test('strftime formats literals', async () => {
    const db = await open()
    await seedRecords(db)
    for (const [moment, args, said] of [...numbers, ...saidTexts]) {
      const filter = writes('n1', JSON.stringify(moment), args, said)
      expect({ filter, ids: await found(db, filter) }).toEqual({ filter, ids: ['n1'] })
    }
  })

  test.each([
    'nothing(1) = 1',
    'nothing("%Y", due) = ""',
    'geodistance(1, 2, 3, 4) < 5',
    'geoDistance(1, 2, 3) < 5',
    'geoDistance(1, 2, 3, "4") < 5',
    'geoDistance(1, 2, 3, title) < 5',
    'geoDistance(1, 2, 3, hint) < 5',
    'geoDistance(1, 2, 3, place.height) < 5',
    'geoDistance(1, 2, 3, geoDistance(1, 2, 3, 4)) < 5',
    'strftime() = ""',
    'strftime(title, due) = ""',
    'strftime("%q", due) = ""',
    'strftime("%", due) = ""',
    'strftime("%Y", due, title) = ""',
    'strftime("%Y", due, "localtime") = ""',
    'strftime("%Y", due, "+1.5 months") = ""',
    'strftime("%Y", due, "+4001 years") = ""',
    'strftime("%Y", due, "+48001 months") = ""',
    'strftime("%Y", due, "+1460001 days") = ""',
    'strftime("%Y", due, "-2000 years", "-730001 days") = ""',
    'strftime("%Y", due, "+2001 years", "-2000 years") = ""',
    'strftime("%Y", due, "weekday 7") = ""',
    'strftime("%Y", due, "weekday 1 or 2") = ""',
    'strftime("%Y", due, "next weekday 1") = ""',
    'strftime("%Y", due, "the start of day") = ""',
    'strftime("%Y", due, "start of days") = ""',
    'strftime("%Y", due, "about 1 day") = ""',
    'strftime("%Y", due, "1 day ago") = ""',
    'strftime("%Y", due, "+00:60") = ""',
    'strftime("%Y", due, "+1:00") = ""',
    'strftime("%Y", due, "+0001-12-01") = ""',
    'strftime("%Y", due, "0001-02-03") = ""',
    'strftime("%Y", due, "+0001-02-03 4:05") = ""',
    'strftime("%Y", due, "") = ""',
    'strftime("the year %", due) = ""',
    'strftime("%Y", due, "+1234567890123 seconds") = ""',
    'strftime(due) = ""',
    'strftime(5, due) = ""',
    'strftime("%Y", due, 5) = ""',
    'strftime("%Y", title, "unixepoch") = ""',
    'strftime("%Y", owner.code) = ""',
  ])('%s is refused', async (filter) => {
    const db = await open()
    await expect(found(db, filter)).rejects.toMatchObject({ status: 400 })
  })

  test('of an email address never match', async () => {
    const db = await open()
    await seedRecords(db)
    expect(await found(db, 'strftime("%Y", owner.email) = ""')).toEqual([])
  })
})
