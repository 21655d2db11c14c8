/**
 * How well an import finds its books: `npm run bench -- matching [EDITIONS.jsonl.gz]`. Rows are made
 * by distorting the books of a catalogue and matched against an index of it, which lacks every
 * twentieth. The catalogue is the starter's; a file has one edition in each line, with title,
 * authors and isbn13. Writes bench/last-run-matching.md.
 */
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openCatalogue, type CatalogueWork } from '#catalogue/index.ts'
import { catalogueFiles } from '#catalogue/files.ts'
import { buildIndex } from '#catalogue/starter/build-index.ts'
import { starter } from '#catalogue/starter-works.ts'
import { matchBooks, type Match } from '#server/import/match.ts'
import { emptyBook } from '#server/import/row.ts'
import { foldText } from '#shared/text.ts'
import { distortedRows, type DistortedRow } from './matching-rows.ts'
import { isShort } from './measure.ts'
import { table } from './table.ts'

const rowsInAll = isShort ? 200 : 5000
const report = join(import.meta.dirname, 'last-run-matching.md')

export async function matching([file]: readonly string[]): Promise<void> {
  const works = file ? worksOf(file) : [...starter().works]
  const indexed = works.filter((_, at) => at % 20 !== 7)
  const names = new Set(indexed.flatMap((work) => namesOf(work, mainTitle)))
  const lacking = works
    .filter((_, at) => at % 20 === 7)
    .filter((work) => !namesOf(work, mainTitle).some((name) => names.has(name)))
  const rows = distortedRows(indexed, lacking, rowsInAll)
  using folder = mkdtempDisposableSync(join(tmpdir(), 'octavo-bench-'))
  const { version } = starter()
  await buildIndex(catalogueFiles(folder.path).file, { works: indexed, version, curated: {} })
  const catalogue = await openCatalogue({ folder: folder.path, workers: 1 })
  const books = rows.map(({ title, authors, isbn }) => ({ ...emptyBook, title, authors, isbn }))
  const matches = await matchBooks(catalogue, books)
  await catalogue.close()
  const judged = rows.map((row, at) => ({ kind: row.kind, outcome: judge(row, matches[at]!), row }))
  const outcomes = ['matched', 'doubtful', 'unmatched', 'wrong']
  const counted = (name: string, some: typeof judged) => [
    name,
    String(some.length),
    ...outcomes.map((each) => String(some.filter(({ outcome }) => outcome === each).length)),
  ]
  const kinds = [...Map.groupBy(judged, ({ kind }) => kind)]
  const lines = kinds.map(([kind, some]) => counted(kind, some))
  const counts = table([['', 'rows', ...outcomes], ...lines, counted('all', judged)])
  console.log(counts)
  for (const { outcome, row } of judged) if (outcome === 'wrong') console.log('- wrong:', row)
  if (file && !isShort) writeFileSync(report, reportOf(works.length, judged, counts))
}

function judge(row: DistortedRow, { state, book }: Match): string {
  if (state !== 'matched' || !book) return state
  // What a row says word for word isn't wrong, even if it has lost what told it from another.
  const names = [...(row.work ? namesOf(row.work) : []), ...(row.work ? namesOf(row) : [])]
  return namesOf(book).some((name) => names.includes(name)) ? state : 'wrong'
}

function reportOf(
  books: number,
  judged: readonly { row: DistortedRow; outcome: string }[],
  counts: string,
): string {
  const share = (outcome: string, some = judged) =>
    `${((100 * some.filter((one) => one.outcome === outcome).length) / some.length).toFixed(1)} %`
  const known = judged.filter(({ row }) => row.work)
  return `# Last run of \`npm run bench -- matching\`

${judged.length} rows made by distorting ${books} books, three of four with their ISBN. Of the rows whose book the index has, ${share('matched', known)} are matched; of all rows, ${share('doubtful')} are doubtful and ${share('wrong')} wrong.

${counts}
`
}

/** What books are judged by. */
interface Named {
  title: string
  authors: readonly string[]
}

const bareTitle = (title: string) =>
  foldText(title.replace(/\([^()]*\)/g, '').replaceAll('&', ' and '))
const mainTitle = (title: string) => bareTitle(title.split(/:/)[0]!)

/** @returns a name for each author */
const namesOf = ({ title, authors }: Named, titleOf = bareTitle) =>
  authors.map((author) => `${titleOf(title)} by ${foldText(author).split(' ').at(-1)!}`)

const workKey = ({ title, authors: [author = ''] }: Named) =>
  `${foldText(title)} by ${foldText(author)}`

interface Line {
  isbn13: string
  title: string
  authors?: string[]
  language?: string
}

/** The works of a file's editions; those with the same title and first author are one. */
function worksOf(file: string): CatalogueWork[] {
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  const works = lines.map((line) => workOf(JSON.parse(line) as Line))
  return [...Map.groupBy(works, workKey).values()].map(([first, ...others]) => ({
    ...first!,
    editions: [first!.editions[0], ...others.flatMap(({ editions }) => editions)],
  }))
}

function workOf({ isbn13, title, authors = [], language = '' }: Line): CatalogueWork {
  const [, bare = title, name = '', position = ''] =
    /^(.+?) \(([^()]+?),? #([\d.]+)\)$/.exec(title) ?? []
  const isLatin = (author: string) => /\p{Script=Latin}/u.test(author)
  const edition = { image_links: [], page_count: 0, published_date: '', publisher: '', language }
  return {
    title: bare,
    other_titles: [],
    authors: authors.filter(isLatin),
    author_names: authors.filter((author) => !isLatin(author)),
    genres: [],
    description: '',
    series: name ? [{ name, position, by: '' }] : [],
    readers: 0,
    editions: [{ id: `line${isbn13}`, ids: {}, isbn13, ...edition }],
  }
}
