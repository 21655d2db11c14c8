import {
  importLabelKey,
  type ImportedBook,
  type ImportLabel,
  type ImportLabelTarget,
  type ImportOptions,
  type ImportRow,
} from '#shared/import.ts'
import { isShelfName } from '#shared/bookshelf.ts'
import { cutText } from '#shared/text.ts'
import { statuses, type Status } from '#shared/user-book.ts'
import { tagNames } from './book-tags.ts'
import { endOf } from './read-row.ts'
import { statusOf } from './statuses.ts'

/** Labels to count in a file, and to show; those beyond become tags. */
const [countedAtMost, shownAtMost] = [10_000, 100]
/** Titles to show of each label, and characters of each. */
const [titlesOfOne, titleAtMost] = [3, 40]

/** Counts the labels of a file's rows. */
export class LabelCounts {
  /** By their keys, and whether a book that has one also has a status. */
  readonly #found = new Map<string, { label: ImportLabel; isBesideStatus: boolean }>()

  /** @param book as the file has it, without a status that it doesn't name */
  add(book: ImportedBook): void {
    const { status_name, status } = book
    if (status_name || (!status && !endOf(book)))
      this.#count({ kind: 'status', name: status_name, status }, book)
    for (const name of tagNames(book)) this.#count({ kind: 'tag', name, status: '' }, book)
  }

  #count(
    label: Pick<ImportLabel, 'kind' | 'name' | 'status'>,
    { title, status }: ImportedBook,
  ): void {
    const key = importLabelKey(label)
    if (this.#found.size >= countedAtMost && !this.#found.has(key)) return
    const found = this.#found.getOrInsertComputed(key, () => ({
      label: { ...label, rows: 0, titles: [] },
      isBesideStatus: false,
    }))
    const { titles } = found.label
    found.label.rows++
    if (title && titles.length < titlesOfOne) titles.push(cutText(title, titleAtMost))
    if (status) found.isBesideStatus = true
  }

  /**
   * The labels, statuses first and then by their number of rows. A tag that only books without a
   * status have, and that is a word for one, means that.
   */
  get list(): ImportLabel[] {
    const labels = Array.from(this.#found.values(), ({ label, isBesideStatus }) =>
      label.kind === 'tag' && !isBesideStatus ? { ...label, status: statusOf(label.name) } : label,
    )
    const order = ({ kind, name }: ImportLabel) => (kind === 'tag' ? 2 : name ? 0 : 1)
    return labels.toSorted((a, b) => order(a) - order(b) || b.rows - a.rows).slice(0, shownAtMost)
  }
}

/** @returns the choices to begin with: tags that mean a status */
export const labelGuesses = (labels: readonly ImportLabel[]): ImportOptions['becomes'] =>
  Object.fromEntries(
    labels.flatMap((label) =>
      label.kind === 'tag' && label.status ? [[importLabelKey(label), label.status] as const] : [],
    ),
  )

/** A row's book as its reader wants it, and the names of the shelves that it goes onto. */
interface LabelledBook {
  book: ImportedBook
  shelves: string[]
}

/** If several tags of a book mean a status, the one that is furthest along counts. */
const furthest: readonly Status[] = ['completed', 'dropped', 'reading', 'paused', 'planning']

const isStatus = (target: string): target is Status => statuses.some((status) => status === target)

/** Warnings of rows whose status isn't the file's own. */
const assumed: ReadonlySet<string> = new Set(['statusMissing', 'statusUnknown', 'statusFromDate'])

/**
 * Makes a row's labels what its reader has chosen. A tag that means a status has the last word on
 * it, before the file's own word, and that before the day when the book was finished.
 */
export function withLabels(
  { read, warnings }: { read: ImportedBook } & Pick<ImportRow, 'warnings'>,
  options: ImportOptions | null,
): LabelledBook {
  const { becomes = {}, no_status = 'planning' } = options ?? {}
  const names = new Map<ImportLabelTarget, string[]>()
  const put = (name: string, target: ImportLabelTarget) =>
    names.getOrInsertComputed(target, () => []).push(name)
  for (const name of tagNames(read))
    put(name, becomes[importLabelKey({ kind: 'tag', name })] ?? 'tag')
  const byTag = furthest.find((status) => names.has(status))
  const meant = warnings?.some(({ key }) => assumed.has(key)) ? '' : read.status
  // Rows that were read before there were labels have no name of their status.
  const word = read.status_name ?? ''
  const own = word && (becomes[importLabelKey({ kind: 'status', name: word })] ?? (meant || 'tag'))
  if (own && !isStatus(own)) put(word, own)
  const status = byTag ?? (isStatus(own) ? own : (word ? '' : meant) || endOf(read) || no_status)
  const shelves = names.get('shelf') ?? []
  const tags = [...(names.get('tag') ?? []), ...shelves.filter((name) => !isShelfName(name))]
  const book = inStatus({ ...read, tags, owned: 0 }, status)
  return { book, shelves: shelves.filter(isShelfName) }
}

/** @returns the book in a status, with readings that fit it: one that is planned has none open */
function inStatus(book: ImportedBook, status: Status): ImportedBook {
  const outcome = status === 'dropped' ? ('dropped' as const) : ('finished' as const)
  const readings = book.readings.map((one) =>
    one.outcome === 'reading' || status === book.status ? one : { ...one, outcome },
  )
  const isOpen = status !== 'planning'
  return { ...book, status, readings: readings.filter(({ finished }) => finished || isOpen) }
}
