import { expect, test } from 'vitest'
import type { Database } from '#records/index.ts'
import { tableSql } from '#records/index.ts'
import { schema } from '#server/collections/schema.ts'
import { describeDatabases } from '#tests/databases.ts'
import { migrate, migrations } from './migrate.ts'

describeDatabases('migrations', (open, dialect) => {
  test('every table has the columns of its collection, in order and type', async () => {
    const migrated = await open()
    await migrate(migrated)
    const expected = await open()
    for (const collection of schema.collections) {
      if (collection.type === 'view') continue
      await expected.transaction(async (tx) => {
        for (const statement of tableSql(collection, { name: dialect })) await tx.query(statement)
      })
      expect(await columns(migrated, collection.name), collection.name).toEqual(
        await columns(expected, collection.name),
      )
    }
  })

  test('keeps apart tags that only differ in their signs', async () => {
    const database = await open()
    await migrateUntil(database, 'tag-signs')
    await database.transaction(async (tx) => {
      for (const tag of ['C', 'C++', 'C#'])
        await tx.query(`INSERT INTO tag_totals ("user", audience, key, tag, books)
          VALUES ('a', 'owner', 'c', '${tag}', 1)`)
    })
    await migrate(database)
    expect(await database.query(`SELECT key, tag FROM tag_totals ORDER BY tag`)).toEqual([
      ['c', 'C'],
      ['c#', 'C#'],
      ['c++', 'C++'],
    ])
  })

  test('gives a goal the days of its year', async () => {
    const database = await open()
    await migrateUntil(database, 'goal-days')
    await database.transaction(async (tx) => {
      await tx.query(`INSERT INTO goals (id, "user", year, kind) VALUES ('g', 'a', 2026, 'books')`)
    })
    await migrate(database)
    const [goal] = await database.query(`SELECT "from", "to", filter FROM goals`)
    expect(goal).toEqual(['2026-01-01', '2026-12-31', ''])
  })

  test('gives all spellings of a tag one key', async () => {
    const database = await open()
    await migrateUntil(database, 'tag-spellings')
    await database.transaction(async (tx) => {
      for (const tag of ['\u2665', '\u2665\uFE0F'])
        await tx.query(`INSERT INTO tag_totals ("user", audience, key, tag, books)
          VALUES ('a', 'owner', '${tag}', '${tag}', 1)`)
      for (const [id, tags] of Object.entries({ one: '["Sci-Fi"]', none: '[]', never: 'null' }))
        await tx.query(`INSERT INTO user_books (id, "user", tags) VALUES ('${id}', 'a', '${tags}')`)
    })
    await migrate(database)
    expect(await database.query(`SELECT DISTINCT key FROM tag_totals`)).toEqual([['\u2665']])
    const keys = await database.query(`SELECT id, tags_keys FROM user_books ORDER BY id`)
    expect(keys).toEqual([
      ['never', ''],
      ['none', ''],
      ['one', '\nsci fi\n'],
    ])
  })

  test('keys keep the marks that are part of a word, and the journal follows', async () => {
    const database = await open()
    await migrateUntil(database, 'folded-marks')
    await database.transaction(async (tx) => {
      const books = [
        ['shelved', 'ann', '1', 'マンガ', 'マンカ|'],
        ['copy', 'ann', '2', 'マンガ', 'マンカ|'],
        ['other', 'ben', '3', 'マンガ', 'マンカ|'],
        ['mixed', 'ben', '4', 'マンカ', 'マンカ|'],
        ['latin', 'ann', '1', 'Émile', 'emile|'],
      ] as const
      for (const [id, user, shelf, title, key] of books)
        await tx.query(`INSERT INTO user_books (id, "user", shelf, title, authors, tags, book_key)
          VALUES ('${id}', '${user}', '${shelf}', '${title}', '[]', '[]', '${key}')`)
      for (const user of ['ann', 'ben'])
        for (const table of ['readings', 'progress_log', 'quotes'])
          await tx.query(`INSERT INTO ${table} (id, "user", book_key)
            VALUES ('${table}-${user}', '${user}', 'マンカ|')`)
    })
    await migrate(database)
    expect(
      await database.query(`SELECT id, title_key, book_key FROM user_books ORDER BY id`),
    ).toEqual([
      ['copy', 'マンガ', 'マンガ|'],
      ['latin', 'emile', 'emile|'],
      ['mixed', 'マンカ', 'マンカ|'],
      ['other', 'マンガ', 'マンカ|'],
      ['shelved', 'マンガ', 'マンガ|'],
    ])
    for (const table of ['readings', 'progress_log', 'quotes'])
      expect(await database.query(`SELECT "user", book_key FROM ${table} ORDER BY "user"`)).toEqual(
        [
          ['ann', 'マンガ|'],
          ['ben', 'マンカ|'],
        ],
      )
  })

  test('days that devices have logged get their hours', async () => {
    const database = await open()
    await migrateUntil(database, 'reading-hours')
    const nine = Date.parse('2026-03-01T14:59:30Z') / 1000
    await database.transaction(async (tx) => {
      await tx.query(`INSERT INTO device_books (id, "user", document, book_key, timed_key)
        VALUES ('d', 'ann', 'a1', 'emma', 'emma')`)
      await tx.query(`INSERT INTO reading_times (id, "user", document, day, time_zone, times)
        VALUES ('t', 'ann', 'a1', '2026-03-01', 'America/New_York',
          '[[1,${nine},60,400],[2,${nine + 60},90,400]]')`)
      for (const [id, source, minutes] of [
        ['statistics', 'device', 2.5],
        ['push', 'device', 0],
        ['reader', 'app', 0],
      ])
        await tx.query(`INSERT INTO progress_log (id, "user", book_key, day, source, minutes)
          VALUES ('${id}', 'ann', 'emma', '2026-03-01', '${source}', ${minutes})`)
    })
    await migrate(database)
    const logged = await database.query('SELECT id, hours FROM progress_log ORDER BY id')
    const hours = Array.from({ length: 24 }, (_, hour) => ({ 9: 1, 10: 1.5 })[hour] ?? 0)
    expect(logged).toEqual([
      ['push', 'null'],
      ['reader', 'null'],
      ['statistics', JSON.stringify(hours)],
    ])
  })

  test.each([
    ['the tatweel counts', 'tatweel', 'محـمود', 'محمود'],
    ['the keyboard of a letter counts', 'other-letters', 'کریم', 'كريم'],
    ['what is invisible counts', 'other-letters', 'ka\u00ADrim', 'karim'],
  ])('%s in no key, and what is stored by a key follows', async (_, step, long, short) => {
    const database = await open()
    await migrateUntil(database, step)
    const names = (name: string) => JSON.stringify([name])
    await database.transaction(async (tx) => {
      await tx.query(`INSERT INTO settings (id, "user") VALUES ('s', 'ann')`)
      await tx.query(`INSERT INTO bookshelves (id, "user", name, visibility)
        VALUES ('1', 'ann', '${long}', 'public'), ('2', 'ann', 'b', 'public')`)
      for (const [id, shelf, author] of [
        ['long', '1', long],
        ['short', '2', short],
      ])
        await tx.query(`INSERT INTO user_books
          (id, "user", shelf, title, authors, tags, rating, rated, book_key, work)
          VALUES ('${id}', 'ann', '${shelf}', '${id}', '${names(author!)}', '${names(author!)}',
            4, '2026', '${id}|${author}', '${id}|${author} ')`)
      for (const tag of [long, short])
        await tx.query(`INSERT INTO tag_totals ("user", audience, key, tag, books)
          VALUES ('ann', 'owner', '${tag}', '${tag}', 1)`)
      await tx.query(
        `INSERT INTO quotes (id, "user", book_key) VALUES ('q', 'ann', 'long|${long}')`,
      )
      await tx.query(`INSERT INTO device_books (id, "user", book_key, timed_key)
        VALUES ('d', 'ann', 'long|${long}', 'long|${long}')`)
    })
    await migrate(database)
    const rows = (columns: string, table: string) =>
      database.query(`SELECT ${columns} FROM ${table} ORDER BY 1`)
    expect(await rows('id, authors_key, tags_keys, book_key, work', 'user_books')).toEqual(
      ['long', 'short'].map((id) => [
        id,
        short,
        `\n${short}\n`,
        `${id}|${short}`,
        `${id}|${short} `,
      ]),
    )
    expect(await rows('name_key', 'bookshelves')).toEqual([['b'], [short]])
    expect(await rows('tag, key', 'tag_totals')).toEqual(
      [long, short].toSorted().map((tag) => [tag, short]),
    )
    expect(await rows('audience, key, books', 'tag_key_totals')).toEqual([
      ['others', short, 2],
      ['owner', short, 2],
    ])
    expect(await rows('book_key', 'quotes')).toEqual([[`long|${short}`]])
    expect(await rows('book_key, timed_key', 'device_books')).toEqual([
      [`long|${short}`, `long|${short}`],
    ])
    expect(await rows('work, rating', 'work_readers')).toEqual([
      [`long|${short} `, 4],
      [`short|${short} `, 4],
    ])
  })

  test('describes readings by the oldest copy that others can see, and knows re-reads', async () => {
    const database = await open()
    await migrateUntil(database, 'reading-facts')
    await database.transaction(async (tx) => {
      for (const [id, visibility] of Object.entries({ open: 'public', closed: 'private' }))
        await tx.query(
          `INSERT INTO bookshelves (id, "user", visibility) VALUES ('${id}', 'a', '${visibility}')`,
        )
      for (const copy of [
        `'1', 'closed', 'k1', 'Hidden', '["A. Hidden"]', '2020'`,
        `'2', 'open', 'k1', 'Seen', '["A. Seen","B. Seen"]', '2021'`,
        `'3', 'open', 'k1', 'Later', '[]', '2022'`,
        `'4', 'closed', 'k2', 'Alone', '[]', '2020'`,
      ])
        await tx.query(`INSERT INTO user_books (id, shelf, book_key, title, authors, created, "user")
          VALUES (${copy}, 'a')`)
      for (const reading of [
        `'first', 'k1', '', 'finished', '2024'`,
        `'second', 'k1', '2019', 'finished', '2023'`,
        `'given up', 'k1', '2020', 'dropped', '2023'`,
        `'alone', 'k2', '2020', 'finished', '2023'`,
        `'removed', 'k3', '2020', 'finished', '2023'`,
      ])
        await tx.query(`INSERT INTO readings (id, book_key, finished, outcome, created, "user")
          VALUES (${reading}, 'a')`)
    })
    await migrate(database)
    const rows = await database.query(
      `SELECT id, title, authors_keys, is_reread FROM readings ORDER BY id`,
    )
    const names = '\na seen\n\nb seen\n'
    expect(rows.map(([id, title, keys, again]) => [id, title, keys, Boolean(again)])).toEqual([
      ['alone', 'Alone', '', false],
      ['first', 'Seen', names, false],
      ['given up', 'Seen', names, false],
      ['removed', '', '', false],
      ['second', 'Seen', names, true],
    ])
  })

  test('gives readings the edition of the oldest copy that others can see', async () => {
    const database = await open()
    await migrateUntil(database, 'reading-editions')
    await database.transaction(async (tx) => {
      for (const [id, visibility] of Object.entries({ open: 'public', closed: 'private' }))
        await tx.query(
          `INSERT INTO bookshelves (id, "user", visibility) VALUES ('${id}', 'a', '${visibility}')`,
        )
      for (const copy of [
        `'1', 'closed', 'k1', 'ger', '1999', 'Hidden', '2020'`,
        `'2', 'open', 'k1', 'eng', '2001-05', 'Seen', '2021'`,
        `'3', 'closed', 'k2', 'unknown', '1810', '', '2020'`,
      ])
        await tx.query(`INSERT INTO user_books
          (id, shelf, book_key, language, published, series, created, "user")
          VALUES (${copy}, 'a')`)
      for (const reading of [`'one', 'k1'`, `'other', 'k2'`, `'removed', 'k3'`])
        await tx.query(`INSERT INTO readings (id, book_key, "user") VALUES (${reading}, 'a')`)
    })
    await migrate(database)
    const rows = 'SELECT id, language, published, series FROM readings ORDER BY id'
    expect(await database.query(rows)).toEqual([
      ['one', 'eng', '2001-05', 'Seen'],
      ['other', '', '1810', ''],
      ['removed', '', '', ''],
    ])
  })

  test('a migrated database is left alone', async () => {
    const database = await open()
    const done = () => database.query('SELECT number, name FROM _migrations ORDER BY number')
    await migrate(database)
    const steps = await done()
    expect(steps[0]).toEqual([1, 'first'])
    await migrate(database)
    expect(await done()).toEqual(steps)
  })

  test('counts the books and tags that are there', async () => {
    const database = await open()
    await migrateUntil(database, 'book-totals')
    await database.transaction(async (tx) => {
      for (const [id, visibility] of Object.entries({ open: 'public', closed: 'private' }))
        await tx.query(
          `INSERT INTO bookshelves (id, "user", visibility) VALUES ('${id}', 'a', '${visibility}')`,
        )
      const books = [
        `'1', 'open', 'k1', 'completed', 8, 90, '["Sea","Ports"]', FALSE`,
        `'2', 'closed', 'k1', 'completed', 8, 80, '["Sea","Ports"]', FALSE`,
        `'3', 'open', 'k2', 'reading', 0, 7, '["Sea"]', TRUE`,
        `'4', 'closed', 'k3', 'planning', 6, 0, 'null', FALSE`,
      ]
      for (const book of books)
        await tx.query(`INSERT INTO user_books
          (id, shelf, book_key, status, rating, progress, tags, "isPrivate", "user")
          VALUES (${book}, 'a')`)
    })
    await migrate(database)
    expect(
      await database.query(`SELECT audience, books, books_read, rated, rating_total, pages_read
        FROM book_totals WHERE "user" = 'a' ORDER BY audience`),
    ).toEqual([
      ['others', 1, 1, 1, 8, 90],
      ['owner', 3, 1, 2, 14, 97],
    ])
    expect(
      await database.query(`SELECT audience, tag, books FROM tag_totals WHERE "user" = 'a'
        ORDER BY audience, tag`),
    ).toEqual([
      ['others', 'Ports', 1],
      ['others', 'Sea', 1],
      ['owner', 'Ports', 1],
      ['owner', 'Sea', 2],
    ])
    expect(
      await database.query(`SELECT audience, key, books FROM tag_key_totals WHERE "user" = 'a'
        ORDER BY audience, key`),
    ).toEqual([
      ['others', 'ports', 1],
      ['others', 'sea', 1],
      ['owner', 'ports', 1],
      ['owner', 'sea', 2],
    ])
  })

  test('knows the shelf of wanted books by its name in any language, one per reader', async () => {
    const database = await open()
    await migrateUntil(database, 'shelf-kind')
    const shelves = [
      ['ann', 'Want to Read', 2],
      ['ann', 'À lire', 7],
      ['ann', 'À relire', 9],
      ['bob', 'will ich lesen', 0],
      ['cid', 'Quiero leer', 0],
      ['dee', 'à lire', 0],
      ['eve', 'Quero ler', 0],
      ['fay', '読みたい', 0],
      ['gus', 'أريد قراءتها', 0],
      ['hal', 'Want to read again', 0],
    ] as const
    await database.transaction(async (tx) => {
      for (const [user, name, count] of shelves)
        await tx.query(`INSERT INTO bookshelves (id, "user", name, visibility, book_count)
          VALUES ('${user} ${name}', '${user}', '${name}', 'public', ${count})`)
      const { id } = schema.get('bookshelves')
      for (const name of ['Want to read', 'À lire', 'Read'])
        await tx.query(`INSERT INTO "_removedRecords" (removal, place, collection, record, data)
          VALUES ('r', ${name.length}, '${id}', '${name}', '{"id":"${name}","name":"${name}","covers":"[]"}')`)
    })
    await migrate(database)
    expect(
      await database.query(`SELECT "user", name FROM bookshelves WHERE kind = 'want' ORDER BY id`),
    ).toEqual([
      ['ann', 'À lire'],
      ['bob', 'will ich lesen'],
      ['cid', 'Quiero leer'],
      ['dee', 'à lire'],
      ['eve', 'Quero ler'],
      ['fay', '読みたい'],
      ['gus', 'أريد قراءتها'],
    ])
    const removed = await database.query(`SELECT data FROM "_removedRecords" ORDER BY place`)
    const text = { covers: '[]' }
    expect(removed.map(([data]) => JSON.parse(String(data)) as unknown)).toEqual([
      { id: 'Read', name: 'Read', ...text },
      { id: 'À lire', name: 'À lire', kind: 'want', ...text },
      { id: 'Want to read', name: 'Want to read', kind: 'want', ...text },
    ])
  })

  test('shows the readings and quotes of books that others see', async () => {
    const database = await open()
    await migrateUntil(database, 'visible-entries')
    await database.transaction(async (tx) => {
      for (const [id, visibility] of Object.entries({ open: 'public', closed: 'private' }))
        await tx.query(
          `INSERT INTO bookshelves (id, "user", visibility) VALUES ('${id}', 'a', '${visibility}')`,
        )
      const books = [
        `'1', 'open', 'both', FALSE`,
        `'2', 'closed', 'both', FALSE`,
        `'3', 'open', 'own', TRUE`,
        `'4', 'closed', 'hidden', FALSE`,
      ]
      for (const book of books)
        await tx.query(`INSERT INTO user_books (id, shelf, book_key, "isPrivate", "user")
          VALUES (${book}, 'a')`)
      for (const key of ['both', 'own', 'hidden', 'none'])
        for (const table of ['readings', 'quotes'])
          await tx.query(
            `INSERT INTO ${table} (id, "user", book_key) VALUES ('${key}', 'a', '${key}')`,
          )
      await tx.query(`INSERT INTO readings (id, "user", book_key) VALUES ('other', 'b', 'both')`)
    })
    await migrate(database)
    for (const table of ['readings', 'quotes'])
      expect(await database.query(`SELECT id FROM ${table} WHERE visible`)).toEqual([['both']])
  })

  test('tells how far a step is that fills rows', async () => {
    const database = await open()
    await migrateUntil(database, 'derived-texts')
    await database.transaction((tx) =>
      tx.query(`INSERT INTO bookshelves (id, "user", visibility)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        SELECT CAST(i AS TEXT), 'a', 'private' FROM n`),
    )
    const told: string[] = []
    await migrate(database, migrations, (step, done, total) => {
      if (step.startsWith('derived-texts') && total >= 1000) told.push(`${done} of ${total}`)
    })
    expect(told).toEqual(['1000 of 2500', '2000 of 2500', '2500 of 2500'])
  })

  test('R11: migrates once when processes start together', async () => {
    const database = await open()
    await Promise.all([migrate(database), migrate(database), migrate(database)])
    expect(await database.query('SELECT COUNT(*) - MAX(number) FROM _migrations')).toEqual([[0]])
  })

  test('R11: keeps the steps before one that fails, and nothing of that one', async () => {
    const database = await open()
    const good = { name: 'good', statements: () => ['CREATE TABLE a (id TEXT)'] }
    const bad = { name: 'bad', statements: () => ['CREATE TABLE b (id TEXT)', 'nonsense'] }
    await expect(migrate(database, [good, bad])).rejects.toThrow(/syntax error/)
    await expect(database.query('SELECT * FROM b')).rejects.toThrow(/\bb\b/)
    expect(await database.query('SELECT * FROM a')).toEqual([])
    await migrate(database, [good, { name: 'mended', statements: () => [] }])
    expect(await database.query('SELECT name FROM _migrations ORDER BY number')).toEqual([
      ['good'],
      ['mended'],
    ])
  })

  test('R11: refuses a database newer than the code', async () => {
    const database = await open()
    await migrate(database)
    await expect(migrate(database, [])).rejects.toThrow(/newer Octavo/)
  })
})

/** Brings the database to the schema before a step. */
async function migrateUntil(database: Database, step: string): Promise<void> {
  const before = migrations.findIndex(({ name }) => name === step)
  await migrate(database, migrations.slice(0, before))
}

/** Name, type, whether NULL is refused, and default, in the table's order. */
async function columns(database: Database, table: string): Promise<unknown[]> {
  return database.dialect.name === 'sqlite'
    ? database.query(
        `SELECT name, type, "notnull", dflt_value FROM pragma_table_info('${table}') ORDER BY cid`,
      )
    : database.query(
        `SELECT column_name, data_type, is_nullable, column_default, collation_name
         FROM information_schema.columns WHERE table_name = '${table}' ORDER BY ordinal_position`,
      )
}
