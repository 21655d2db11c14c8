import { expect, test } from 'vitest'
import { describeDatabases } from '#tests/databases.ts'
import type { Database } from '../database/database.ts'
import { requestOf, schema, store, storeWorld } from '../fixture.ts'
import { listRecords } from '../read.ts'

async function found(db: Database, filter: string): Promise<string[]> {
  const params = { page: 1, perPage: 30, skipTotal: true, sort: 'id', filter }
  const notes = schema.get('notes')
  const { json } = await listRecords(db, schema, notes, requestOf(), params)
  return (JSON.parse(json) as { items: { id: string }[] }).items.map(({ id }) => id)
}

describeDatabases('functions of filters', (open) => {
  test('measure and name the same on both databases', async () => {
    const db = await open()
    await storeWorld(db)
    const berlin = { lon: 13.405, lat: 52.52 }
    await store(db, 'notes', [
      { id: 'here', owner: 'ann', folder: 'open', place: berlin, stars: 1_767_323_045, data: 0.5 },
      { id: 'none', owner: 'ann', folder: 'open', data: { lon: 'x' } },
    ])
    // Berlin to Paris is 878 km.
    for (const [filter, ids] of [
      ['id = "here" && geoDistance(place.lon, place.lat, 2.3522, 48.8566) < 878', ['here']],
      ['id = "here" && geoDistance(place.lon, place.lat, 2.3522, 48.8566) < 877', []],
      ['geoDistance(place.lon, place.lat, 13.405, 52.52) = 0', ['here']],
      ['id = "none" && geoDistance(data.lon, 0, 0, 0) = null', ['none']],
      ['id = "none" && geoDistance(0, 0, 180, 0) > 20015', ['none']],
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
    ] as const)
      expect({ filter, ids: await found(db, filter) }).toEqual({ filter, ids })
  })

  test.each([
    'nothing(1) = 1',
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
    'strftime("%Y", title, "unixepoch") = ""',
    'strftime("%Y", owner.code) = ""',
  ])('%s cannot be followed', async (filter) => {
    const db = await open()
    await expect(found(db, filter)).rejects.toMatchObject({ status: 400 })
  })

  test('of an address say nothing', async () => {
    const db = await open()
    await storeWorld(db)
    expect(await found(db, 'strftime("%Y", owner.email) = ""')).toEqual([])
  })
})
