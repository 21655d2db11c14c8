import { expect, test } from 'vitest'
import { readImportFile, zipOf } from '#tests/import-file.ts'
import { databaseBytes } from '#tests/koreader-device.ts'

/** A clipping as a Kindle writes it. */
const clipping = (title: string, about: string, text: string) =>
  `${title}\r\n- ${about}\r\n\r\n${text}\r\n==========\r\n`

const quotesIn = async (content: Uint8Array | string) => {
  const { rows } = await readImportFile(content)
  return rows.map(({ book }) => book?.quotes?.map(({ text, note }) => [text, note]))
}

/** What a Kindle writes about a passage and a note, by its language. */
const kindles: [language: string, passage: string, note: string][] = [
  [
    'English',
    'Your Highlight on page 12 | Location 170-172 | Added on Sunday, July 24, 2022 1:15:17 AM',
    'Your Note on page 12 | Location 172 | Added on Sunday, 24 July 2022 01:15:17',
  ],
  [
    'German',
    'Ihre Markierung auf Seite 12 | bei Position 170-172 | Hinzugefügt am Sonntag, 24. Juli 2022 01:15:17',
    'Ihre Notiz auf Seite 12 | bei Position 172 | Hinzugefügt am Sonntag, 24. Juli 2022 01:15:17',
  ],
  [
    'French',
    'Votre surlignement sur la page 12 | emplacement 170-172 | Ajouté le dimanche 24 juillet 2022 01:15:17',
    'Votre note sur la page 12 | emplacement 172 | Ajouté le dimanche 24 juillet 2022 01:15:17',
  ],
  [
    'Spanish',
    'La subrayado en la página 12 | posición 170-172 | Añadido el domingo, 24 de julio de 2022 1:15:17',
    'La nota en la página 12 | posición 172 | Añadido el domingo, 24 de julio de 2022 1:15:17',
  ],
  [
    'Portuguese',
    'Seu destaque na página 12 | posição 170-172 | Adicionado: domingo, 24 de julho de 2022 01:15:17',
    'Sua nota na página 12 | posição 172 | Adicionado: domingo, 24 de julho de 2022 01:15:17',
  ],
  [
    'Italian',
    'La tua evidenziazione a pagina 12 | posizione 170-172 | Aggiunto in data domenica 24 luglio 2022 01:15:17',
    'La tua nota a pagina 12 | posizione 172 | Aggiunto in data domenica 24 luglio 2022 01:15:17',
  ],
  [
    'Dutch',
    'Uw markering op pagina 12 | locatie 170-172 | Toegevoegd op zondag 24 juli 2022 01:15:17',
    'Uw notitie op pagina 12 | locatie 172 | Toegevoegd op zondag 24 juli 2022 01:15:17',
  ],
  [
    'Russian',
    'Ваш выделенный отрывок на странице 12 | Место 170–172 | Добавлено: воскресенье, 24 июля 2022 г. в 1:15:17',
    'Ваша заметка на странице 12 | Место 172 | Добавлено: воскресенье, 24 июля 2022 г. в 1:15:17',
  ],
  [
    'Japanese',
    '12ページ|位置No. 170-172のハイライト |作成日: 2022年7月24日日曜日 1:15:17',
    '12ページ|位置No. 172のメモ |作成日: 2022年7月24日日曜日 1:15:17',
  ],
  [
    'Chinese',
    '您在第 12 页（位置 #170-172）的标注 | 添加于 2022年7月24日星期日 上午1:15:17',
    '您在第 12 页（位置 #172）的笔记 | 添加于 2022年7月24日星期日 上午1:15:17',
  ],
  [
    'Korean',
    '12쪽|위치 170-172의 하이라이트 | 추가됨: 2022년 7월 24일 일요일 오전 1:15:17',
    '12쪽|위치 172의 메모 | 추가됨: 2022년 7월 24일 일요일 오전 1:15:17',
  ],
]

test.each(kindles)('a Kindle’s clippings are read in %s', async (_, passage, note) => {
  const file = `\uFEFF${[
    clipping('Emma (Austen, Jane)', passage, 'Handsome, clever, and rich'),
    `\uFEFF${clipping('Emma (Austen, Jane)', note, 'The first line')}`,
  ].join('')}`
  const { format, rows } = await readImportFile(file)
  expect(format).toBe('kindle')
  expect(rows).toMatchObject([
    {
      source: { title: 'Emma', authors: 'Jane Austen', highlights: '1' },
      book: {
        title: 'Emma',
        authors: ['Jane Austen'],
        notes: '',
        quotes: [
          {
            text: 'Handsome, clever, and rich',
            note: 'The first line',
            page: 12,
            percent: 0,
            at: '2022-07-24',
          },
        ],
      },
    },
  ])
})

test('bookmarks aren’t read, in any of the languages', async () => {
  const words = [
    ['Your Bookmark', 'Ihr Lesezeichen', 'Votre signet', 'Tu marcador', 'Seu marcador'],
    ['Il tuo segnalibro', 'Uw bladwijzer', 'Ваша закладка', 'ブックマーク', '您的书签', '북마크'],
  ].flat()
  const marks = words.map((word) => clipping('Emma (Jane Austen)', `${word} 12 |`, 'x'))
  expect(await quotesIn(clipping('Emma', 'Your Highlight 1 |', 'Kept') + marks.join(''))).toEqual([
    [['Kept', '']],
  ])
})

test('a passage that was marked anew, or comes again, is one with its last text', async () => {
  const on = (place: string, text: string) =>
    clipping('The Moonstone (Wilkie Collins)', `Your Highlight at location ${place} |`, text)
  const note = (place: string, text: string) =>
    clipping('The Moonstone (Wilkie Collins)', `Your Note at location ${place} |`, text)
  const file = [
    on('100-101', 'In the first part of'),
    note('101', 'First thought'),
    on('100-102', 'In the first part of Robinson Crusoe'),
    note('102', 'Second thought'),
    note('102', 'Last thought'),
    on('100-101', 'first part'),
    on('101-101', 'At page one hundred and twenty-nine'),
    on('1710-12', 'Elsewhere'),
    on('3000', ' <You have reached the clipping limit for this item>'),
    note('9000', 'On the whole book'),
  ].join('')
  const { rows } = await readImportFile(file)
  expect(rows).toHaveLength(1)
  expect(rows[0]!.book).toMatchObject({
    // They aren't at a passage that is left.
    notes: 'Second thought\n\nLast thought\n\nOn the whole book',
    quotes: [
      {
        text: 'first part',
        earlier: ['In the first part of', 'In the first part of Robinson Crusoe'],
      },
      { text: 'At page one hundred and twenty-nine' },
      { text: 'Elsewhere' },
    ],
  })
})

test('a title keeps its brackets, and a book without an author is one', async () => {
  const { rows } = await readImportFile(
    clipping('Dune (Dune, #1) (Herbert, Frank;Somebody Else (Editor))', 'Your Highlight 1 |', 'a') +
      clipping('my notes.pdf', 'Your Highlight 1 |', 'b'),
  )
  expect(rows.map(({ book }) => [book!.title, book!.authors])).toEqual([
    ['Dune (Dune, #1)', ['Frank Herbert', 'Somebody Else (Editor)']],
    ['my notes.pdf', []],
  ])
})

const koreaderBook = {
  title: 'Emma',
  author: 'Jane Austen\nSomebody Else',
  file: '/mnt/onboard/emma.epub',
  number_of_pages: 400,
  entries: [
    {
      sort: 'highlight',
      page: 100,
      time: Date.parse('2026-03-01T10:00:00Z') / 1000,
      text: 'Handsome, clever, and rich',
      note: 'The first line',
      chapter: 'I',
      drawer: 'lighten',
      color: 'yellow',
    },
    { sort: 'highlight', page: 'xii', text: 'In the preface' },
    { sort: 'bookmark', page: 3, text: '', note: '' },
    'nonsense',
  ],
}

test.each([
  ['one book', { created_on: 1, version: 'json/1.0.0', ...koreaderBook }],
  ['several', { documents: [koreaderBook], version: 'json/1.0.0', created_on: 1 }],
])('KOReader’s export of %s is read', async (_, exported) => {
  const { format, rows } = await readImportFile(JSON.stringify(exported, null, 4))
  expect(format).toBe('koreader')
  expect(rows.map(({ book }) => book)).toMatchObject([
    {
      title: 'Emma',
      authors: ['Jane Austen', 'Somebody Else'],
      quotes: [
        {
          text: 'Handsome, clever, and rich',
          note: 'The first line',
          page: 0,
          percent: 25,
          at: '2026-03-01 10:00:00.000Z',
        },
        { text: 'In the preface', page: 0, percent: 0, at: '' },
      ],
    },
  ])
})

test('what KOReader keeps beside a book is read, and nothing in it runs', async () => {
  const sidecar = (annotations: string) => `-- /mnt/onboard/emma.sdr/metadata.epub.lua
return {
    ["annotations"] = {
${annotations}
    },
    ["doc_pages"] = 400,
    ["doc_props"] = {
        ["authors"] = "Jane Austen",
        ["title"] = "Emma",
    },
    ["partial_md5_checksum"] = "e3c38a26dde2f1240488828012116299",
    ["percent_finished"] = 0.5,
    ["summary"] = {
        ["modified"] = "2026-03-02",
        ["rating"] = 4,
        ["status"] = "complete",
    },
}
`
  const { format, rows } = await readImportFile(
    sidecar(`        [1] = {
            ["chapter"] = "I",
            ["datetime"] = "2026-03-01 23:30:00",
            ["note"] = "The \\"first\\" line",
            ["page"] = "/body/DocFragment[2]/body/p[1]/text().0",
            ["pageno"] = 100,
            ["pos0"] = { ["x"] = -1.5, ["y"] = 1e3 },
            ["text"] = "Handsome, clever,\\
and rich",
        },
        [2] = {
            ["datetime"] = "2026-03-01 23:31:00",
            ["page"] = 7,
        },`),
  )
  expect(format).toBe('koreader')
  expect(rows.map(({ book }) => book)).toMatchObject([
    {
      title: 'Emma',
      authors: ['Jane Austen'],
      status: 'completed',
      rating: 8,
      readings: [{ started: '', finished: '2026-03-02', outcome: 'finished' }],
      source_id: 'e3c38a26dde2f1240488828012116299',
      quotes: [
        {
          text: 'Handsome, clever,\nand rich',
          note: 'The "first" line',
          percent: 25,
          at: '2026-03-01',
        },
      ],
    },
  ])
  for (const text of ['[1] = os.execute("true"),', '{'.repeat(100_000), '[1] = "open'])
    await expect(readImportFile(sidecar(text))).rejects.toThrow('This file can’t be read.')
})

const kobo = databaseBytes(
  `CREATE TABLE content (ContentID TEXT NOT NULL, ContentType TEXT NOT NULL, MimeType TEXT NOT NULL,
    BookID TEXT, BookTitle TEXT, Title TEXT COLLATE NOCASE, Attribution TEXT COLLATE NOCASE,
    ReadStatus INTEGER, ___PercentRead INTEGER, Series TEXT, SeriesNumber TEXT, ISBN TEXT,
    DateLastRead TEXT, LastTimeFinishedReading TEXT, PRIMARY KEY (ContentID));
  CREATE TABLE Bookmark (BookmarkID TEXT NOT NULL, VolumeID TEXT NOT NULL, ContentID TEXT NOT NULL,
    Text TEXT, Annotation TEXT, DateCreated TEXT, ChapterProgress REAL NOT NULL DEFAULT 0,
    Hidden BOOL NOT NULL DEFAULT 0, Type TEXT, PRIMARY KEY (BookmarkID));
  INSERT INTO content (ContentID, ContentType, MimeType, Title, Attribution, ReadStatus,
    ___PercentRead, Series, SeriesNumber, ISBN, LastTimeFinishedReading) VALUES
    ('file:///mnt/onboard/emma.epub', '6', 'application/epub+zip', 'Emma', 'Jane Austen', 1, 40,
      NULL, NULL, NULL, NULL),
    ('file:///mnt/onboard/emma.epub#(1)', '9', 'application/xhtml+xml', 'Chapter I', NULL, 0, 0,
      NULL, NULL, NULL, NULL),
    ('0a1b', '6', 'application/x-kobo-epub+zip', 'The Moonstone', 'Wilkie Collins', 2, 100,
      'Sergeant Cuff', '1', '9780140434088', '2026-02-03T23:10:00Z'),
    ('0a1c', '6', 'application/x-kobo-epub+zip', 'A preview', 'Somebody', 0, 0, NULL, NULL, NULL,
      NULL);
  INSERT INTO Bookmark VALUES
    ('b1', 'file:///mnt/onboard/emma.epub', 'file:///mnt/onboard/emma.epub#(1)',
      'Handsome, clever, and rich', 'The first line', '2026-03-01T10:00:00.000', 0.1, 'false', 'note'),
    ('b2', 'file:///mnt/onboard/emma.epub', 'file:///mnt/onboard/emma.epub#(1)', NULL, NULL,
      '2026-03-01T10:00:00.000', 0.1, 'false', 'dogear'),
    ('b3', 'file:///mnt/onboard/emma.epub', 'file:///mnt/onboard/emma.epub#(1)', 'Taken back', NULL,
      '2026-03-01T10:00:00.000', 0.1, 'true', 'highlight');`,
)

test('a Kobo’s database is read: what was begun or marked', async () => {
  const { format, rows } = await readImportFile(kobo)
  expect(format).toBe('kobo')
  expect(rows.map(({ book }) => book)).toMatchObject([
    {
      title: 'Emma',
      authors: ['Jane Austen'],
      status: 'reading',
      percent: 40,
      quotes: [
        {
          text: 'Handsome, clever, and rich',
          note: 'The first line',
          at: '2026-03-01 10:00:00.000Z',
        },
      ],
    },
    {
      title: 'The Moonstone',
      isbn: '9780140434088',
      status: 'completed',
      readings: [{ started: '', finished: '2026-02-03', outcome: 'finished' }],
      facts: { series: 'Sergeant Cuff', series_position: '1' },
      quotes: [],
    },
  ])
})

test('Apple Books’ two databases are read from one archive', async () => {
  const since = (time: string) => (Date.parse(time) - Date.UTC(2001)) / 1000
  const library = databaseBytes(
    `CREATE TABLE ZBKLIBRARYASSET (Z_PK INTEGER PRIMARY KEY, ZISFINISHED INTEGER,
      ZREADINGPROGRESS FLOAT, ZDATEFINISHED TIMESTAMP, ZASSETID VARCHAR, ZAUTHOR VARCHAR,
      ZTITLE VARCHAR);
    INSERT INTO ZBKLIBRARYASSET VALUES (1, 0, 0.25, NULL, 'A1', 'Jane Austen', 'Emma'),
      (2, 1, 1.0, ${since('2026-02-03T10:00:00Z')}, 'A2', 'Wilkie Collins', 'The Moonstone'),
      (3, NULL, 0, NULL, 'A3', 'Somebody', 'Never opened');`,
  )
  const annotations = databaseBytes(
    `CREATE TABLE ZAEANNOTATION (Z_PK INTEGER PRIMARY KEY, ZANNOTATIONDELETED INTEGER,
      ZANNOTATIONTYPE INTEGER, ZANNOTATIONCREATIONDATE TIMESTAMP, ZANNOTATIONASSETID VARCHAR,
      ZANNOTATIONSELECTEDTEXT VARCHAR, ZANNOTATIONNOTE VARCHAR);
    INSERT INTO ZAEANNOTATION VALUES
      (1, 0, 2, ${since('2026-03-01T10:00:00Z')}, 'A1', 'Handsome, clever, and rich', 'Yes'),
      (2, 1, 2, ${since('2026-03-01T10:00:00Z')}, 'A1', 'Taken back', NULL),
      (3, 0, 3, ${since('2026-03-01T10:00:00Z')}, 'A1', NULL, NULL);`,
  )
  const both = await zipOf({
    'Books/AEAnnotation/AEAnnotation_v10312011_1727_local.sqlite': annotations,
    'Books/AEAnnotation/AEAnnotation_v10312011_1727_local.sqlite-wal': '',
    'Books/BKLibrary/BKLibrary-1-091020131601.sqlite': library,
  })
  const { format, rows } = await readImportFile(both)
  expect(format).toBe('applebooks')
  expect(rows.map(({ book }) => book)).toMatchObject([
    {
      title: 'Emma',
      status: 'reading',
      percent: 25,
      quotes: [{ text: 'Handsome, clever, and rich', note: 'Yes', at: '2026-03-01 10:00:00.000Z' }],
    },
    {
      title: 'The Moonstone',
      status: 'completed',
      readings: [{ finished: '2026-02-03', outcome: 'finished' }],
    },
  ])
  for (const half of [annotations, library])
    await expect(readImportFile(half)).rejects.toThrow(
      'Put AEAnnotation and BKLibrary into one ZIP',
    )
})

test('Readwise’s table is read, a book a row', async () => {
  const { format, rows } = await readImportFile(
    `${[
      'Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags',
      '"Handsome, clever, and rich",Emma,Jane Austen,B00,The first line,yellow,,page,7,2026-03-01 10:00:00+00:00,',
      'Elsewhere,The Moonstone,"Wilkie Collins, Somebody Else",,,,,location,170,,',
      'Badly done,Emma,Jane Austen,B00,,,,location,1700,March 2 2026,',
    ].join('\n')}\n`,
  )
  expect(format).toBe('readwise')
  expect(rows.map(({ book }) => book)).toMatchObject([
    {
      title: 'Emma',
      quotes: [
        {
          text: 'Handsome, clever, and rich',
          note: 'The first line',
          page: 7,
          at: '2026-03-01 10:00:00.000Z',
        },
        { text: 'Badly done', page: 0 },
      ],
    },
    { authors: ['Wilkie Collins', 'Somebody Else'], quotes: [{ text: 'Elsewhere' }] },
  ])
})

test('what is too long for a quote or too much for a row is cut and said', async () => {
  const many = Array.from({ length: 1001 }, (_, n) =>
    clipping('Emma (Jane Austen)', `Your Highlight at location ${n} |`, `Passage ${n}`),
  )
  const long = clipping('Long (Somebody)', 'Your Highlight 1 |', 'x'.repeat(6000))
  const { rows } = await readImportFile(many.join('') + long)
  expect(rows.map(({ book }) => book!.quotes!.length)).toEqual([1000, 1])
  expect(rows[1]!.book!.quotes![0]!.text).toHaveLength(5000)
  const keys = rows.map(({ warnings = [] }) => warnings.map(({ key }) => key))
  expect(keys[0]).toContain('quotesTooMany')
  expect(keys[1]).toContain('quoteLong')
})
