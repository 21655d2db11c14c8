import { expect, test } from 'vitest'
import { readImportFile, zipOf } from '#tests/import-file.ts'

const workbook = '<?xml version="1.0"?><workbook><workbookPr/><sheets/></workbook>'
const shared = `<?xml version="1.0"?><sst>
<si><t>Title</t></si><si><t>Author</t></si><si><t>ISBN</t></si><si><t>Date read</t></si>
<si><t>Pages</t></si><si><t>Notes</t></si>
<si><r><rPr><b/></rPr><t>Alder </t></r><r><t xml:space="preserve">&amp; Ash</t></r><rPh sb="0"><t>x</t></rPh></si>
<si><t>Ann Author</t></si></sst>`

/** @returns a sheet with the cells of its rows, by their addresses */
const sheet = (...rows: string[]) =>
  `<?xml version="1.0"?><worksheet><sheetData>${rows.map((row, at) => `<row r="${at + 1}">${row}</row>`).join('')}</sheetData></worksheet>`
const header = ['A', 'B', 'C', 'D', 'E', 'F']
  .map((letter, at) => `<c r="${letter}1" t="s"><v>${at}</v></c>`)
  .join('')
const alder = `<c r="A2" t="s"><v>6</v></c><c r="B2" t="s"><v>7</v></c><c r="C2"><v>9.780141439587E12</v></c>
<c r="D2" s="1"><v>44259</v></c><c r="E2"><f>300+4</f><v>304</v></c>`
const birch = `<c r="A3" t="inlineStr"><is><t>Birch, "Ballads"</t></is></c><c r="F3" t="str"><f>A1</f><v>two
lines</v></c>`

const book = (files: Record<string, string>) =>
  zipOf({ '[Content_Types].xml': '', 'xl/workbook.xml': workbook, ...files })

test('a spreadsheet is read as a table', async () => {
  const { format, total, rows, labels } = await readImportFile(
    await book({
      'xl/sharedStrings.xml': shared,
      'xl/worksheets/sheet1.xml': sheet(header, alder, birch, '<c r="A4"/>'),
      'xl/worksheets/sheet2.xml': sheet(),
    }),
  )
  expect([format, total]).toEqual(['table', 2])
  expect(rows.map((row) => row.book)).toMatchObject([
    {
      title: 'Alder & Ash',
      authors: ['Ann Author'],
      isbn: '9780141439587',
      pages: 304,
      readings: [{ finished: '2021-03-04' }],
      status: 'completed',
    },
    { title: 'Birch, "Ballads"', authors: [], notes: 'two\nlines', status: 'planning' },
  ])
  expect(rows[0]!.warnings!.map(({ key }) => key)).toEqual(['dateSerial', 'statusFromDate'])
  expect(labels).toMatchObject([{ kind: 'status', name: '', rows: 1 }])
})

test.each([
  [
    'with several sheets',
    {
      'xl/worksheets/sheet1.xml': sheet(header, alder),
      'xl/worksheets/sheet2.xml': sheet(header, alder),
    },
    'sheetsMany',
  ],
  [
    'with another first day',
    {
      'xl/workbook.xml': workbook.replace('<workbookPr/>', '<workbookPr date1904="1"/>'),
      'xl/worksheets/sheet1.xml': sheet(header, alder),
    },
    'fileIsSpreadsheet',
  ],
  ['without cells', { 'xl/worksheets/sheet1.xml': sheet() }, 'fileEmpty'],
  [
    'with a part that never ends',
    { 'xl/worksheets/sheet1.xml': `<row><c><v>${'9'.repeat(1_100_000)}` },
    'fileUnreadable',
  ],
  [
    'with a tag that never ends',
    { 'xl/worksheets/sheet1.xml': `<row><c r="${'9'.repeat(1_100_000)}` },
    'fileUnreadable',
  ],
  [
    'whose tags cross',
    { 'xl/worksheets/sheet1.xml': sheet(header, alder, '<c><v>1</c></v>') },
    'fileUnreadable',
  ],
  [
    'that is cut off',
    { 'xl/worksheets/sheet1.xml': sheet(header, alder).replace('</worksheet>', '') },
    'fileUnreadable',
  ],
  [
    'with elements in elements without end',
    {
      'xl/worksheets/sheet1.xml': sheet(
        header,
        `<c>${'<is>'.repeat(5000)}${'</is>'.repeat(5000)}</c>`,
      ),
    },
    'fileUnreadable',
  ],
  [
    'with attributes without end',
    {
      'xl/worksheets/sheet1.xml': sheet(
        header,
        `<c ${Array.from({ length: 5000 }, (_, n) => `a${n}="" `).join('')}/>`,
      ),
    },
    'fileUnreadable',
  ],
  [
    'with entities of its own',
    {
      'xl/worksheets/sheet1.xml': `<!DOCTYPE worksheet [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${sheet(header, '<c t="str"><v>&b;</v></c>').replace('<?xml version="1.0"?>', '')}`,
    },
    'fileUnreadable',
  ],
])('a spreadsheet %s is refused', async (_, files: Record<string, string>, key) => {
  const content = await book({ 'xl/sharedStrings.xml': shared, ...files })
  await expect(readImportFile(content)).rejects.toMatchObject({ reason: { key } })
})

test('a cell far to the right takes no more room than the others', async () => {
  const { rows } = await readImportFile(
    await book({
      'xl/sharedStrings.xml': shared,
      'xl/worksheets/sheet1.xml': sheet(header, alder, '<c r="XFD3"><v>1</v></c>'),
    }),
  )
  expect(rows.map(({ reason }) => reason?.key)).toEqual([undefined, 'rowEmpty'])
})

test('marked sections are text, comments are not, and an attribute may hold ">"', async () => {
  const { rows } = await readImportFile(
    await book({
      'xl/worksheets/sheet1.xml': sheet(
        '<c t="inlineStr"><is><t>Title</t></is></c><c t="inlineStr"><is><t>Author</t></is></c>',
        `<c t="inlineStr"><is><t><![CDATA[Alder <Ash> & Elm]]></t></is></c><!-- <c><v>1</v></c> -->
<c cm="a>b" t="inlineStr"><is><t>Ann Author</t></is></c>`,
      ),
    }),
  )
  expect(rows.map((row) => row.book)).toMatchObject([
    { title: 'Alder <Ash> & Elm', authors: ['Ann Author'] },
  ])
})

test('names may have a prefix, and characters may be written as entities', async () => {
  const { rows } = await readImportFile(
    await book({
      'xl/worksheets/sheet1.xml': sheet(
        '<c t="inlineStr"><is><t>Title</t></is></c><c t="inlineStr"><is><t>Author</t></is></c>',
        '<c t="inlineStr"><is><t>&lt;Alder&gt; &#x26; &quot;Ash&quot;</t></is></c><c t="inlineStr"><is><t>D&apos;Arc</t></is></c>',
      ).replaceAll(/<(\/?)(?=[a-z])/g, '<$1x:'),
    }),
  )
  expect(rows.map((row) => row.book)).toMatchObject([
    { title: '<Alder> & "Ash"', authors: ["D'Arc"] },
  ])
})
