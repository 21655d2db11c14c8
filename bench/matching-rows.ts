import type { CatalogueWork } from '#catalogue/index.ts'
import { foldText } from '#shared/text.ts'
import { seededRandom } from '#server/demo/demo.ts'
import { slip } from './catalogue-queries.ts'

/** A row as another program may write it. */
export interface DistortedRow {
  kind: string
  title: string
  authors: string[]
  isbn: string
  /** The work it means; null for one that the index lacks. */
  work: CatalogueWork | null
}

type Chance = () => number
type Named = Pick<DistortedRow, 'title' | 'authors'>

/** How rows differ from what they mean. Each returns null for a work that it can't distort. */
const distortions: Readonly<
  Record<string, (row: Named, work: CatalogueWork, chance: Chance) => Named | null>
> = {
  'as it is': (row) => row,
  'series in brackets': (row, work, chance) => {
    const [place] = work.series ?? []
    if (!place?.position) return null
    const { name, position } = place
    const forms = [`${name}, #${position}`, `${name} #${position}`, `${name} Book ${position}`]
    return { ...row, title: `${row.title} (${pick(forms, chance)})` }
  },
  'typo in the title': (row, _, chance) => {
    const title = slip(row.title.toLowerCase(), chance)
    return title === null ? null : { ...row, title }
  },
  'typo in the author': ({ title, authors: [author = ''] }, _, chance) => {
    const wrong = slip(author.toLowerCase(), chance)
    return wrong === null ? null : { title, authors: [wrong] }
  },
  'last name first': ({ title, authors }) => ({
    title,
    authors: authors.toReversed().map(lastNameFirst),
  }),
  initials: ({ title, authors: [author = ''] }) => {
    const words = author.split(' ')
    if (words.length < 2 || !/^\p{Lu}.*\p{Ll}$/u.test(author)) return null
    return {
      title,
      authors: [[...words.slice(0, -1).map(([a]) => `${a}.`), words.at(-1)].join(' ')],
    }
  },
  'another alphabet': ({ title }, { authors: [author = ''], author_names = [] }) => {
    const other = author_names[0] ?? inCyrillic(author)
    return other === author ? null : { title, authors: [other] }
  },
  'without its subtitle': (row) => {
    const [main = '', rest] = row.title.split(/: /)
    return rest === undefined ? null : { ...row, title: main }
  },
  '“A Novel” behind it': (row, _, chance) => {
    if (row.title.includes(':')) return null
    return { ...row, title: `${row.title}: ${pick(['A Novel', 'Roman', 'Una novela'], chance)}` }
  },
  'imprint in brackets': (row, _, chance) => ({
    ...row,
    title: `${row.title} (${pick(['Penguin Classics', 'Kindle Edition', 'Paperback'], chance)})`,
  }),
  'case and signs': (row, _, chance) => {
    const title = row.title.replace(/ and /g, ' & ').replace(/['’.,!?]/g, '')
    return { ...row, title: chance() < 0.5 ? title.toUpperCase() : title }
  },
}

/** Rows of volumes that no catalogue has. */
const lacking = [
  (title: string) => `${title}, Vol. 97`,
  (title: string) => `${title} (Vol. 97)`,
  (title: string) => `${title} (Book 97)`,
  (title: string) => `${title}, Part 97`,
  (title: string) => `${title} 97`,
]

const pick = <T>(all: readonly T[], chance: Chance): T =>
  all[Math.floor(chance() * all.length)] as T

/**
 * Distorts the books of a catalogue: each kind equally often, three of four rows with their ISBN.
 *
 * @param without works that the index lacks, which may only be found by nothing
 */
export function distortedRows(
  works: readonly CatalogueWork[],
  without: readonly CatalogueWork[],
  count: number,
): DistortedRow[] {
  const chance = seededRandom(20261129)
  const rows: DistortedRow[] = []
  const kinds = Object.entries(distortions)
  const ofLacking = Math.floor(count / 10)
  while (rows.length < count - ofLacking) {
    const [kind, distort] = kinds[rows.length % kinds.length]!
    const work = pick(works, chance)
    const { title, authors, editions } = work
    const isbn = (chance() < 3 / 4 && editions[0].isbn13) || ''
    const row = authors.length && distort({ title, authors: authors.slice(0, 3) }, work, chance)
    if (row) rows.push({ kind, ...row, isbn, work })
  }
  for (const { title, authors } of without.slice(0, ofLacking / 2))
    rows.push({ kind: 'a book that the index lacks', title, authors, isbn: '', work: null })
  while (rows.length < count) {
    const { title, authors } = pick(works, chance)
    if (/\d/.test(title)) continue
    const kind = 'a volume that the index lacks'
    rows.push({ kind, title: pick(lacking, chance)(title), authors, isbn: '', work: null })
  }
  return rows
}

function lastNameFirst(name: string): string {
  const words = name.split(' ')
  return words.length < 2 ? name : `${words.at(-1)}, ${words.slice(0, -1).join(' ')}`
}

const [latin, cyrillic] = ['abvgdeziyklmnoprstufhcqwxj', 'абвгдезийклмнопрстуфхцквкж']

/** A name roughly as Russian writes it. */
const inCyrillic = (name: string) =>
  foldText(name).replace(/[a-z]/g, (letter) => cyrillic[latin.indexOf(letter)] ?? letter)
