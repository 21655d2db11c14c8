import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readImportFile, zipOf } from '#tests/import-file.ts'

const storygraph =
  'Title,Authors,Contributors,ISBN/UID,Format,Read Status,Star Rating\nEmma,Jane Austen,,,digital,read,4.5\n'

test.each([
  [{ 'StoryGraph/export.csv': storygraph, '__MACOSX/._export.csv': 'x', '.DS_Store': 'x' }],
  [{ export: storygraph }],
  [{ 'export.csv': storygraph, 'cover.jpg': 'x' }],
])('the only table of an archive is read', async (files) => {
  expect(await readImportFile(await zipOf(files))).toMatchObject({
    format: 'storygraph',
    rows: [{ book: { title: 'Emma', rating: 9 } }],
  })
})

test.each<[Record<string, string | Buffer>, RegExp]>([
  [{ 'a.csv': 'x', 'b.csv': 'y' }, /^This ZIP file holds 2 files, such as a\.csv, b\.csv\./],
  [{ '[Content_Types].xml': '', 'xl/workbook.xml': '' }, /^This is a spreadsheet\./],
  [{ 'META-INF/container.xml': '' }, /^This is a book, not an export\./],
  [{}, /^This ZIP file is empty\./],
  [{ 'bomb.csv': Buffer.alloc(101 * 1024 * 1024, 'a') }, /unpacks to more than 100 MB/],
])('an archive that can’t be imported is refused, %#', async (files, sentence) => {
  await expect(readImportFile(await zipOf(files))).rejects.toThrow(sentence)
})

test('an archive that understates its size, or is cut short, is refused', async () => {
  const bytes = await zipOf({ 'bomb.csv': Buffer.alloc(101 * 1024 * 1024, 'a') })
  // The size is in the directory, at the end of the archive.
  const directory = bytes.lastIndexOf('PK\u0001\u0002')
  bytes.writeUInt32LE(1000, directory + 24)
  await expect(readImportFile(bytes)).rejects.toThrow('This ZIP file is damaged.')
  const whole = await zipOf({ 'a.csv': storygraph })
  await expect(readImportFile(whole.subarray(0, -10))).rejects.toThrow('This ZIP file is damaged.')
  const nested = await zipOf({ 'a.csv': whole })
  await expect(readImportFile(nested)).rejects.toThrow('holds another ZIP file')
})

/** The tables of Calibre's that are imported. */
const calibreTables = `
  CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, timestamp TEXT, uuid TEXT);
  CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INTEGER, author INTEGER);
  CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE books_tags_link (id INTEGER PRIMARY KEY, book INTEGER, tag INTEGER);
  CREATE TABLE ratings (id INTEGER PRIMARY KEY, rating INTEGER);
  CREATE TABLE books_ratings_link (id INTEGER PRIMARY KEY, book INTEGER, rating INTEGER);
  CREATE TABLE identifiers (id INTEGER PRIMARY KEY, book INTEGER, type TEXT, val TEXT);
  CREATE TABLE data (id INTEGER PRIMARY KEY, book INTEGER, format TEXT);
  INSERT INTO books VALUES (1, 'Emma', '2021-01-19 22:41:16+01:00', 'u1'), (2, 'Good Omens', '', 'u2');
  INSERT INTO authors VALUES (1, 'Jane Austen'), (2, 'Terry Pratchett'), (3, 'Gaiman| Neil');
  INSERT INTO books_authors_link VALUES (1, 1, 1), (2, 2, 2), (3, 2, 3);
  INSERT INTO tags VALUES (1, 'classics'); INSERT INTO books_tags_link VALUES (1, 1, 1);
  INSERT INTO ratings VALUES (1, 7); INSERT INTO books_ratings_link VALUES (1, 1, 1);
  INSERT INTO identifiers VALUES (1, 1, 'isbn', '9780141439587'), (2, 1, 'goodreads', '6969');
  INSERT INTO data VALUES (1, 1, 'EPUB');`

function databaseOf(sql: string): Buffer {
  const file = join(tmpdir(), `octavo-calibre-${process.pid}-${performance.now()}.db`)
  try {
    const db = new DatabaseSync(file)
    db.exec(sql)
    db.close()
    return readFileSync(file)
  } finally {
    rmSync(file, { force: true })
  }
}

test('Calibre’s series, languages, dates and comments come along', async () => {
  const bytes = databaseOf(`${calibreTables}
    ALTER TABLE books ADD COLUMN series_index REAL DEFAULT 1.0;
    ALTER TABLE books ADD COLUMN pubdate TEXT DEFAULT '0101-01-01 00:00:00+00:00';
    UPDATE books SET series_index = 2.5, pubdate = '1815-12-23 00:00:00+00:00' WHERE id = 1;
    CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE books_series_link (id INTEGER PRIMARY KEY, book INTEGER, series INTEGER);
    INSERT INTO series VALUES (7, 'Highbury'); INSERT INTO books_series_link VALUES (1, 1, 7);
    CREATE TABLE languages (id INTEGER PRIMARY KEY, lang_code TEXT);
    CREATE TABLE books_languages_link (id INTEGER PRIMARY KEY, book INTEGER, lang_code INTEGER);
    INSERT INTO languages VALUES (1, 'deu'); INSERT INTO books_languages_link VALUES (1, 1, 1);
    CREATE TABLE comments (id INTEGER PRIMARY KEY, book INTEGER, text TEXT);
    INSERT INTO comments VALUES (1, 2, '<p>The end is nigh</p>'), (2, 1, 'Handsome'), (3, 0, '');`)
  const { rows } = await readImportFile(bytes)
  expect(rows.map(({ book }) => book?.facts)).toEqual([
    {
      series: 'Highbury',
      series_position: '2.5',
      language: 'ger',
      published: '1815-12-23',
      description: 'Handsome',
    },
    {
      series: '',
      series_position: '',
      language: '',
      published: '',
      description: 'The end is nigh',
    },
  ])
  expect(rows.flatMap(({ warnings }) => warnings ?? []).map(({ key }) => key)).not.toContain(
    'dateUnread',
  )
})

test('Calibre’s library is read, alone or zipped, and its triggers never run', async () => {
  const trigger = `CREATE TRIGGER evil AFTER INSERT ON books BEGIN DELETE FROM authors; END;
    CREATE VIEW meta AS SELECT randomblob(1000000000) FROM books;`
  const bytes = databaseOf(calibreTables + trigger)
  for (const file of [bytes, await zipOf({ 'Library/metadata.db': bytes })]) {
    const { format, rows } = await readImportFile(file)
    expect(format).toBe('calibre')
    expect(rows.map(({ book }) => book)).toMatchObject([
      {
        title: 'Emma',
        authors: ['Jane Austen'],
        isbn: '9780141439587',
        tags: ['classics'],
        rating: 7,
        format: 'ebook',
        added: '2021-01-19',
      },
      { title: 'Good Omens', authors: ['Terry Pratchett', 'Gaiman, Neil'], isbn: '', rating: 0 },
    ])
  }
})

test('what a reader has added to a Calibre library is read by its name', async () => {
  const bytes = databaseOf(`${calibreTables}
    CREATE TABLE custom_columns (id INTEGER PRIMARY KEY, label TEXT, datatype TEXT);
    INSERT INTO custom_columns VALUES (1, 'read', 'bool'), (2, 'date_read', 'datetime'),
      (3, 'my_rating', 'rating'), (4, 'genre', 'text'), (5, 'pages', 'int'), (6, 'cost', 'float'),
      (7, 'gone', 'text');
    CREATE TABLE custom_column_1 (id INTEGER PRIMARY KEY, book INTEGER, value BOOL);
    INSERT INTO custom_column_1 VALUES (1, 1, 1), (2, 2, 0);
    CREATE TABLE custom_column_2 (id INTEGER PRIMARY KEY, book INTEGER, value TIMESTAMP);
    INSERT INTO custom_column_2 VALUES (1, 1, '2020-05-04 12:00:00+00:00');
    CREATE TABLE custom_column_3 (id INTEGER PRIMARY KEY, value INTEGER);
    CREATE TABLE books_custom_column_3_link (id INTEGER PRIMARY KEY, book INTEGER, value INTEGER);
    INSERT INTO custom_column_3 VALUES (1, 9);
    INSERT INTO books_custom_column_3_link VALUES (1, 1, 1);
    CREATE TABLE custom_column_4 (id INTEGER PRIMARY KEY, value TEXT);
    CREATE TABLE books_custom_column_4_link (id INTEGER PRIMARY KEY, book INTEGER, value INTEGER);
    INSERT INTO custom_column_4 VALUES (1, 'satire'), (2, 'love');
    INSERT INTO books_custom_column_4_link VALUES (1, 1, 1), (2, 1, 2);
    CREATE TABLE custom_column_5 (id INTEGER PRIMARY KEY, book INTEGER, value INTEGER);
    INSERT INTO custom_column_5 VALUES (1, 1, 474);
    CREATE TABLE custom_column_6 (id INTEGER PRIMARY KEY, book INTEGER, value REAL);
    INSERT INTO custom_column_6 VALUES (1, 1, 9.5);`)
  const { rows, unused } = await readImportFile(bytes)
  expect(rows.map(({ book }) => book)).toMatchObject([
    {
      title: 'Emma',
      status: 'completed',
      readings: [{ finished: '2020-05-04' }],
      rating: 9,
      tags: ['classics', 'satire', 'love'],
      pages: 474,
    },
    { title: 'Good Omens', status: 'planning', readings: [] },
  ])
  expect(unused).toContain('#cost')
})

test.each([
  [
    'a view that never ends',
    `CREATE VIEW books AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
      SELECT id, 'x' AS title, '' AS timestamp, '' AS uuid FROM n;
    CREATE TABLE authors (id INTEGER, name TEXT);
    CREATE TABLE books_authors_link (id INTEGER, book INTEGER, author INTEGER);`,
  ],
  [
    'a computed column',
    `CREATE TABLE books (id INTEGER, title TEXT AS (hex(zeroblob(id * 1000000))), timestamp, uuid);
    CREATE TABLE authors (id INTEGER, name TEXT);
    CREATE TABLE books_authors_link (id INTEGER, book INTEGER, author INTEGER);
    INSERT INTO books (id) VALUES (1);`,
  ],
  ['another application', 'CREATE TABLE songs (id INTEGER, title TEXT);'],
  [
    'a schema that takes SQLite long to read',
    Array.from(
      { length: 2000 },
      (_, n) => `CREATE VIEW v${n} AS SELECT ${'1+'.repeat(400)}1;`,
    ).join(''),
  ],
])('a database with %s is refused', async (_, sql) => {
  await expect(readImportFile(databaseOf(sql))).rejects.toThrow(/^This database (isn’t|is)/)
})

test('R56: a Calibre database without keys doesn’t multiply its links', async () => {
  const bytes = databaseOf(`
    CREATE TABLE books (id INTEGER, title TEXT, timestamp TEXT, uuid TEXT);
    CREATE TABLE authors (id INTEGER, name TEXT);
    CREATE TABLE books_authors_link (book INTEGER, author INTEGER);
    CREATE TABLE tags (id INTEGER, name TEXT);
    CREATE TABLE books_tags_link (book INTEGER, tag INTEGER);
    INSERT INTO tags VALUES (1, 'fiction');
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)
      INSERT INTO books SELECT 1, 'Emma ' || i, '', '' FROM n;
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000)
      INSERT INTO books_tags_link SELECT 1, 1 FROM n;`)
  const { rows } = await readImportFile(bytes)
  expect(rows).toHaveLength(20_000)
  expect(rows.map(({ book }) => book!.tags).slice(0, 2)).toEqual([['fiction'], []])
})

test('a database that is damaged anywhere is refused or read, and nothing else happens', async () => {
  const bytes = databaseOf(calibreTables)
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 100, max: bytes.length - 64 }),
      fc.uint8Array({ minLength: 1, maxLength: 64 }),
      async (at, noise) => {
        const damaged = Buffer.from(bytes)
        damaged.set(noise, at)
        const sentence = await readImportFile(damaged).then(
          () => 'This database could be read.',
          (error: Error) => error.message,
        )
        expect(sentence).toMatch(/^This database /)
      },
    ),
    { numRuns: 60 },
  )
})

test.each([
  ['a cell of 10 MB', `"${'x'.repeat(10_000_000)}",y`],
  ['a cell of lines', `"${'x\n'.repeat(700_000)}",y`],
  ['text without quotation marks', `${'x'.repeat(1_100_000)},y`],
])('%s only loses its row', async (_, row) => {
  const { rows } = await readImportFile(`Title,Author\n${row}\nEmma,"Jane\nAusten"\n`)
  expect(rows).toMatchObject([
    { source: {}, book: null, reason: { key: 'rowTooLarge' } },
    { book: { title: 'Emma', authors: ['Jane Austen'] } },
  ])
})

test('a quotation mark that is never closed only loses its row', async () => {
  const many = Array.from({ length: 20_000 }, (_, n) => `Book ${n},Jane Austen\n`).join('')
  const { total, rows } = await readImportFile(`Title,Author\nA,B\n8,"Broken,A\n${many}`)
  expect(total).toBe(20_002)
  expect(rows[1]!.reason).toMatchObject({ key: 'quoteNotClosed' })
  expect(rows.filter(({ book }) => !book)).toHaveLength(1)
})

test('a row too large for a record has a reason', async () => {
  const { rows } = await readImportFile(
    `Title,Author,Other\nA,,"${'\u0001'.repeat(300_000)}"\nB,,x\n`,
  )
  expect(rows).toMatchObject([
    { source: {}, book: null, reason: { key: 'rowTooLarge' } },
    { book: { title: 'B' } },
  ])
})

test('formulas stay text', async () => {
  const { rows } = await readImportFile('Title,Author\n"=HYPERLINK(""x"")",@SUM(A1)\n')
  expect(rows[0]!.book).toMatchObject({ title: '=HYPERLINK("x")', authors: ['@SUM(A1)'] })
})

test.each([
  ['%PDF-1.7', 'This is a PDF.'],
  ['\u001F\u008B\u0008', 'isn’t a ZIP file'],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'This is a spreadsheet.'],
  ['{"1":{"books_id":"1","title":"Em', 'is incomplete'],
])('%j is refused', async (content, sentence) => {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
  await expect(readImportFile(bytes)).rejects.toThrow(sentence)
})

/** Any text is the same table in any encoding that can represent it. */
test('a table reads the same in each encoding, with each separator', async () => {
  const word = fc.constantFrom('Ilse', 'Brëhmer', 'O’Neil', 'Straße', '“x”', 'a, b', 'c;d', 'e|f')
  const titles = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(titles, fc.constantFrom(',', ';', '\t', '|'), async (cells, separator) => {
      const rows = [['Title', 'Author'], ...cells.map((row, n) => [`${n} ${row[0]}`, row[1]])]
      const text = rows.map((row) => row.map((one) => `"${one}"`).join(separator)).join('\r\n')
      const windows = Buffer.from(
        [...text].map((one) => ({ '’': 0x92, '“': 0x93, '”': 0x94 })[one] ?? one.charCodeAt(0)),
      )
      const files = [
        Buffer.from(text),
        Buffer.from(`\uFEFF${text}`),
        Buffer.from(text, 'utf16le'),
        Buffer.from(`\uFEFF${text}`, 'utf16le'),
        Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
        windows,
      ]
      for (const file of files)
        expect((await readImportFile(file)).rows.map(({ book }) => book?.title)).toEqual(
          cells.map(([title], n) => `${n} ${title}`),
        )
    }),
    { numRuns: 20 },
  )
})
