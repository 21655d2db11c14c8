import { expect, test } from 'vitest'
import { readImportFile } from '#tests/import-file.ts'

const booksOf = async (content: string) => {
  const { rows } = await readImportFile(content)
  return rows.map(({ book }) => [book?.title, ...(book?.authors ?? [])])
}

test.each([
  'Dune by Frank Herbert\nStand by Me, Maybe by Ann Author\nThe Hobbit by J.R.R. Tolkien\n',
  'Dune | Frank Herbert\nStand by Me, Maybe | Ann Author\nThe Hobbit | J.R.R. Tolkien\n',
])('a list without a line of names is read: %s', async (content) => {
  expect(await booksOf(content)).toEqual([
    ['Dune', 'Frank Herbert'],
    ['Stand by Me, Maybe', 'Ann Author'],
    ['The Hobbit', 'J.R.R. Tolkien'],
  ])
})

test('the marks of a list are no part of its titles', async () => {
  expect(
    await booksOf('1. Dune by Frank Herbert\n12) 1984 by George Orwell\n- It by Stephen King\n'),
  ).toEqual([
    ['Dune', 'Frank Herbert'],
    ['1984', 'George Orwell'],
    ['It', 'Stephen King'],
  ])
})

test('a list keeps the lines that have no author', async () => {
  const authored = Array.from({ length: 8 }, (_, n) => `Book ${n} by Ann Author`)
  expect(await booksOf(['Books of 2024', ...authored, 'Beowulf'].join('\n'))).toEqual([
    ['Books of 2024'],
    ...authored.map((_, n) => [`Book ${n}`, 'Ann Author']),
    ['Beowulf'],
  ])
})

test.each([
  ['a heading', 'My books 2024:\nDune by Frank Herbert\nIt by Stephen King\n'],
  [
    'a heading with an author’s “by”',
    'Books by others:\nDune by Frank Herbert\nIt by Stephen King\n',
  ],
  ['a heading of Markdown', '# Books 2024\n- Dune by Frank Herbert\n- It by Stephen King\n'],
  ['a heading in between', 'Dune by Frank Herbert\n\n2023：\nIt by Stephen King\n'],
  ['a divider', 'Dune by Frank Herbert\n* * *\nIt by Stephen King\n'],
  ['a heading above bars', 'My books 2024:\nDune | Frank Herbert\nIt | Stephen King\n'],
  [
    'the divider of a table',
    'Title | Author\n:--- | ---:\nDune | Frank Herbert\nIt | Stephen King\n',
  ],
  [
    'the divider of a table in bars',
    '| Title | Author |\n|---|---|\n| Dune | Frank Herbert |\n| It | Stephen King |\n',
  ],
])('%s is left out, and counted', async (_, content) => {
  const { total, rows } = await readImportFile(content)
  expect([total, rows.length]).toEqual([3, 3])
  expect(rows.flatMap(({ book }) => (book ? [[book.title, ...book.authors]] : []))).toEqual([
    ['Dune', 'Frank Herbert'],
    ['It', 'Stephen King'],
  ])
  expect(rows.flatMap(({ reason }) => reason ?? [])).toMatchObject([{ key: 'lineNotBook' }])
})

test.each([
  ['bookmarks', 'title,url,tags,created\nDune,https://example.org/dune,scifi,2024-01-02\n'],
  ['a bank statement', 'Date,Name,Amount\n2024-01-02,Book Shop,-12.50\n'],
  ['films', 'Date,Name,Year,Rating\n2024-01-02,Dune,1984,4\n'],
  ['contacts', 'Name,Phone\nAnn Author,555\n'],
  ['tasks', 'title,status,priority\nWrite the report,done,high\nCall the bank,In progress,low\n'],
  ['tasks with days', 'Title,Status,Start date,Finished\nMove,Completed,2024-01-02,2024-01-03\n'],
  ['tasks as JSON', '[{"title":"Move","status":"done","priority":1}]'],
  ['plans', 'Title;Start date;End date;Owner\nMove;2024-01-02;2024-01-03;Ann\n'],
  ['films with a director', 'Title,Director,Rating\nDune,Denis Villeneuve,4\n'],
  ['games', 'Title,Platform,Status,Rating\nHades,Switch,Completed,9\nBraid,PC,On hold,7\n'],
  ['saved articles', 'title,url,time_added,status\nDune,https://example.org,1704153600,unread\n'],
  ['goods', 'Name,EAN,Status,Price\nKettle,4006381333931,Backlog,20\n'],
  ['prose', 'It was by then too late.\nNothing had come.\nWe went home.\n'],
])('%s are no books', async (_, content) => {
  await expect(readImportFile(content)).rejects.toMatchObject({ reason: { key: 'tableUnknown' } })
})

test.each([
  ['Title\nDune\n', [['Dune']]],
  ['Title,Rating\nDune,4\n', [['Dune']]],
  ['Title,Rating,Finished,Notes\nDune,4,2024-01-02,\n', [['Dune']]],
  ['Name,Author\nDune,Frank Herbert\n', [['Dune', 'Frank Herbert']]],
])('titles are enough where nothing says otherwise: %j', async (content, books) => {
  expect(await booksOf(content)).toEqual(books)
})

test.each([
  ['a day read', 'Title,Rating,Place,Date read\nDune,4,Rome,2024-01-02\n'],
  ['pages', 'Title,Pages,Place\nDune,412,Rome\n'],
  ['a shelf', 'Title,Shelf,Lent to\nDune,Attic,Ann\n'],
  ['a column for books', 'Buch;Bewertung;Ort\nDune;4;Rom\n'],
  ['a reader’s status', 'Title,Status,Priority\nEmma,Finished,1\nDune,to-read,2\n'],
  ['a reader’s status in German', 'Titel;Status;Ort\nDune;gelesen;Rom\n'],
  ['a reader’s status in JSON', '[{"title":"Dune","status":"Want to read","price":5}]'],
  ['ISBNs among other goods’ numbers', 'Name,EAN\nKettle,4006381333931\nDune,9780441013593\n'],
])('a table without authors is one of books by %s', async (_, content) => {
  expect((await booksOf(content)).flat()).toContain('Dune')
})

test.each([
  'Titel;Autor;Status;Gelesen am\nDune;Frank Herbert;gelesen;2021-03-04\n',
  'Titre,Auteur,Statut,Fini\nDune,Frank Herbert,lu,2021-03-04\n',
  'Título,Autor,Estado,Terminado\nDune,Frank Herbert,leído,2021-03-04\n',
  'タイトル,著者,状態,読了日\nDune,Frank Herbert,読了,2021-03-04\n',
  'العنوان,المؤلف,الحالة,تاريخ القراءة\nDune,Frank Herbert,مقروء,2021-03-04\n',
])('columns are known in our languages: %s', async (content) => {
  const { rows, unused } = await readImportFile(content)
  expect(rows[0]?.book).toMatchObject({
    title: 'Dune',
    authors: ['Frank Herbert'],
    status: 'completed',
    readings: [{ finished: '2021-03-04', outcome: 'finished' }],
  })
  expect(unused).toEqual([])
})

test('no column takes another’s place, and what isn’t read is named', async () => {
  const { rows, unused } = await readImportFile(
    [
      'Title,Author,Author,Co-author,Read date,Date finished,Date published,Year,Notes,Notes',
      'Good Omens,Terry Pratchett,Neil Gaiman,Ann Author,2021-03-04,2022-03-04,,1990,one,two',
      'Emma,Jane Austen,,,2021-03-04,,,1815,,',
    ].join('\n'),
  )
  expect(rows.map(({ book }) => book)).toMatchObject([
    {
      authors: ['Terry Pratchett', 'Neil Gaiman', 'Ann Author'],
      readings: [{ finished: '2022-03-04' }],
      facts: { published: '1990' },
      notes: 'one',
    },
    { readings: [{ finished: '2021-03-04' }], facts: { published: '1815' } },
  ])
  expect(rows[0]!.warnings).toContainEqual({
    key: 'columnSecond',
    params: { column: 'Read date', value: '2021-03-04' },
  })
  expect(rows[1]!.warnings!.map(({ key }) => key)).toEqual(['statusFromDate'])
  expect(unused).toEqual(['Notes (2)'])
})

test('last names come first in a column where most cells show it', async () => {
  const file = (...authors: string[]) =>
    ['Title;Author', ...authors.map((author, at) => `Book ${at};${author}`)].join('\n')
  const inverted = file(
    'King, Stephen',
    'Sartre, Jean-Paul',
    'de Saint-Exupéry, Antoine',
    'Borges, Jorge Luis',
    'García Márquez, Gabriel',
    'Homer',
    'Pratchett, Terry and Gaiman, Neil',
  )
  expect((await booksOf(inverted)).map(([, ...authors]) => authors)).toEqual([
    ['Stephen King'],
    ['Jean-Paul Sartre'],
    ['Antoine de Saint-Exupéry'],
    ['Jorge Luis Borges'],
    ['Gabriel García Márquez'],
    ['Homer'],
    ['Terry Pratchett', 'Neil Gaiman'],
  ])
  const plain = file('Homer, Emily Wilson', 'Neil Gaiman, Terry Pratchett', 'Smith, J., Jones, K.')
  expect((await booksOf(plain)).map(([, ...authors]) => authors)).toEqual([
    ['Homer', 'Emily Wilson'],
    ['Neil Gaiman', 'Terry Pratchett'],
    ['J. Smith', 'K. Jones'],
  ])
})

test('a table brings the series, language and date of its books', async () => {
  const { rows, unused } = await readImportFile(
    'Title,Author,Series,Series number,Language,Year\nDune,Frank Herbert,Dune,1,English,1965\n',
  )
  expect(rows[0]?.warnings?.map(({ key }) => key)).toEqual(['statusMissing'])
  expect(rows[0]?.book?.facts).toMatchObject({
    series: 'Dune',
    series_position: '1',
    language: 'eng',
    published: '1965',
  })
  expect(unused).toEqual([])
})

test('what Libby lists as loans is read without a guess at what was read', async () => {
  const { format, rows } = await readImportFile(
    [
      'cover,title,author,publisher,isbn,timestamp,activity,details,library',
      ',Alpha One,Ann Author,Pub,9780140449334,"November 28, 2022 13:52",Borrowed,21 days,Town',
    ].join('\n'),
  )
  expect(format).toBe('libby')
  expect(rows[0]?.book).toMatchObject({
    title: 'Alpha One',
    authors: ['Ann Author'],
    isbn: '9780140449334',
    added: '2022-11-28',
    status: 'planning',
    readings: [],
  })
})
