import { sql } from 'kysely'
import { formatDate, perTransaction, prepared } from '#records/index.ts'
import type {
  LibraryChange,
  LibraryHooks,
  LibraryTransaction,
  Stored,
} from '#server/collections/stored.ts'
import { digitsOfIsbn } from '#shared/isbn.ts'
import { factsForm, personalForm } from '#shared/reading-form.ts'
import { percentRead, readingPosition } from '#shared/reading-position.ts'
import { userBookForm } from '#shared/user-book-form.ts'
import { bookKey } from '#shared/user-book.ts'
import { isIncomplete, unchangedSince } from './completed-facts.ts'
import { queueBook } from './completion-queue.ts'
import { differs } from './differs.ts'
import { changesEdition, followLength, formerEditions, moveCopies } from './edition.ts'
import { setBookPrivacy, recountEntries } from './activity-limit.ts'
import { hasSuppressedActivities, recordActivity, renameInActivities } from './activities.ts'
import { countBook, countPrivateBook } from './bookshelves.ts'
import { coverOf } from './cover.ts'
import { requireExpectedValues } from './expected-values.ts'
import { lockShelf, lockShelves } from './locked-shelf.ts'
import { copiesOf, isCopyUpdate, updateCopies, fillFromCopy } from './shared-state.ts'
import { isLate, momentOf } from './moment.ts'
import { logProgress, progressOf, splitLog } from './progress-log.ts'
import { changeBookKey } from './quotes.ts'
import { dateReading, finishedOn, rateReading, updateReadings } from './readings.ts'
import { finishesOf } from './finished-days.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from './field-errors.ts'
import { countInTotals } from './totals.ts'
import { bookData, tellWebhooks } from './webhook-events.ts'
import { readersDay } from './today.ts'
import { workOf } from './work.ts'

/** The same error for another reader's shelf and for none at all. */
const noSuchShelf = {
  code: 'validation_missing_rel_records',
  message: 'Failed to find all relation records with the provided ids.',
}

type Book = Stored<'user_books'>

/**
 * Hooks of books on shelves.
 *
 * @param isCompleting whether what a new book lacks is looked up
 */
export function userBookHooks(now: () => Date, isCompleting = false): LibraryHooks<'user_books'> {
  return {
    // Its records on other shelves are written with it.
    isExclusive: true,

    async prepare(change, tx) {
      const { action, before, after, request } = change
      if (!after) return lockShelves(tx, shelvesOf(before, null))
      if (action === 'update' && before) requireExpectedValues(before, request)
      const isEdition = before !== null && changesEdition(request)
      if (isEdition) followLength(before, after)
      const copies = await findCopies(tx, before, after)
      if (copies[0]) await fillFromCopy(tx, change, copies[0].id)
      const wrong: FieldProblems = {}
      const form = checkForms(before, after, wrong)
      // A rating doesn't affect its shelf.
      const affectsDerived =
        !before || derivedFrom.some((name) => differs(before[name], after[name]))
      const moved = isEdition ? await copiesOf(tx, before) : []
      const others = [...copies, ...moved].map(({ shelf }) => shelf)
      const shelves = [...shelvesOf(before, after), ...others]
      if (affectsDerived) await lockShelves(tx, shelves)
      if (after.shelf && after.shelf !== before?.shelf && !(await ownsShelf(tx, after)))
        wrong.shelf = noSuchShelf
      throwFieldErrors(action, wrong)
      Object.assign(after, form)
      after.isbn = digitsOfIsbn(after.isbn) ?? ''
      if (isEdition) {
        const isUndo = request?.query['undo'] === 'true'
        after.former_editions = formerEditions(before, after, isUndo)
      }
      if (after.status === 'completed' && after.duration > 0)
        after.progress_minutes = after.duration
      after.progress_average = percentRead(after)
      if (before) after.completed = unchangedSince(before, after)
      await dateOpinions(tx, { ...change, after }, now())
      // Nothing else need change.
      const finished = finishedOn(request, now())
      if (before?.status === 'completed' && finished !== undefined) {
        await dateReading(tx, after, finished)
        Object.assign(after, await finishesOf(tx, after))
      }
      if (!affectsDerived) return
      after.book_key = bookKey(after)
      after.work = workOf(after)
      after.being_read = after.status === 'reading'
      if (after.book_key !== before?.book_key) Object.assign(after, await finishesOf(tx, after))
      if (await isOnShelf(tx, after)) wrong.isbn = alreadyThere
      // Two books of the reader would become one, which nothing could take apart again.
      else if (isEdition && copies.length > 0) wrong.isbn = alreadyOwned
      throwFieldErrors(action, wrong)
    },

    async applied(change, tx) {
      const { action, before, after } = change
      await countInTotals(tx, before, after)
      const isNewBook = action !== 'restore' && after && before?.book_key !== after.book_key
      if (isCompleting && isNewBook && isIncomplete(after)) await queueBook(tx, after)
      if (
        after &&
        action !== 'restore' &&
        !isCopyUpdate(tx, after.id) &&
        !hasSuppressedActivities(tx)
      )
        await recordChange(tx, { ...change, after }, now())
      if (after && mayBeFinished(before, after)) Object.assign(after, await finishesOf(tx, after))
      if (before && after && before.title !== after.title)
        await renameInActivities(tx, { book: after.id }, 'title', after.title)
      for (const [shelf, by] of shelvesChanged(shown(before), shown(after)))
        countBook(tx, shelf, by)
      for (const [shelf, by] of shelvesChanged(hidden(before), hidden(after)))
        countPrivateBook(tx, shelf, by)
      const isMoved = before && after && before.shelf !== after.shelf
      const isHidden = before && after && before.isPrivate !== after.isPrivate
      // Its entries become hidden or visible with it.
      const book = after ?? before
      if (book && (action === 'restore' || isMoved || isHidden || !after))
        recountEntries(tx, book.user)
    },
  }
}

/** Whether a change of a book finishes a reading, takes that back, or moves readings to the book. */
function mayBeFinished(before: Book | null, after: Book): boolean {
  if (before && before.book_key !== after.book_key) return true
  return before?.status !== after.status && [before?.status, after.status].includes('completed')
}

const dated = [
  ['rating', 'rated'],
  ['review', 'reviewed'],
] as const

/** Dates a new rating or review, unless the write brings its date along, as from another copy. */
async function dateOpinions(
  tx: LibraryTransaction,
  change: LibraryChange<'user_books'> & { after: Book },
  now: Date,
): Promise<void> {
  const { before, after } = change
  const moment = formatDate(await momentOf(tx, change, now))
  for (const [name, date] of dated) {
    const isDated = after[date] !== '' && before?.[date] !== after[date]
    if (!after[name]) after[date] = ''
    else if (before?.[name] !== after[name] && !isDated) after[date] = moment
  }
}

/** The record, unless the book is private. */
function shown(book: Book | null): Book | null {
  return book?.isPrivate ? null : book
}

function hidden(book: Book | null): Book | null {
  return book?.isPrivate ? book : null
}

/** The reader's other records of each book that a write adds or joins, looked up once. */
const foundCopies = perTransaction(() => new Map<string, Awaited<ReturnType<typeof copiesOf>>>())

/** Finds the other records of a book that is new on a shelf, or that a change makes another book. */
async function findCopies(tx: LibraryTransaction, before: Book | null, after: Book) {
  const { authors, isbn, title, user } = after
  const list = Array.isArray(authors) ? authors.map(String) : []
  const book_key = bookKey({ isbn, title: title.trim(), authors: list })
  const copies = book_key === before?.book_key ? [] : await copiesOf(tx, { ...after, book_key })
  foundCopies(tx).set(`${user} ${book_key}`, copies)
  return copies
}

function checkForms(
  before: Book | null,
  after: Book,
  wrong: FieldProblems,
): Record<string, unknown> | undefined {
  const form = checkSchema(userBookForm, asForm(before, after), wrong)
  const own = checkSchema(personalForm, { ...after, tags: after.tags ?? [] }, wrong)
  const facts = checkSchema(factsForm, after, wrong)
  return form && own && facts && { ...form, ...own, ...facts }
}

/** Applies a reader's change of a book to its timeline, readings and copies. */
async function recordChange(
  tx: LibraryTransaction,
  { before, after: book, request }: LibraryChange<'user_books'> & { after: Book },
  written: Date,
): Promise<void> {
  const now = await momentOf(tx, { before, after: book, request }, written)
  const moment = { made: now, written }
  const isUndo = request?.query['undo'] === 'true'
  const isJoined = before?.book_key !== book.book_key
  const found = foundCopies(tx).get(`${book.user} ${book.book_key}`)
  const copy = isJoined && found?.[0] ? await tx.find('user_books', found[0].id) : null
  const isEdition = before !== null && changesEdition(request)
  // The same share of another edition is another page, which nobody has read on to.
  const known = isEdition ? { ...before, ...progressOf(book) } : (copy ?? before)
  setBookPrivacy(tx, book.id, book.isPrivate)
  // A new copy makes no timeline entry, unless "Added to shelf" is its entry.
  const createsActivity = before !== null || copy === null || book.status === 'planning'
  if (createsActivity)
    await recordActivity(tx, before && known, book, {
      moment,
      isUndo,
      isLate: isLate(tx, request),
    })
  if (before && isJoined) {
    if (isEdition) await moveCopies(tx, before, book)
    await changeBookKey(tx, before, book)
    if (isEdition) {
      const day = await readersDay(tx, book.user, request, now)
      await splitLog(tx, book, { day, now, isUndo })
    }
  }
  // A new copy may be a shorter edition, in which the same position is another page.
  if (!before && copy) return
  const finished = book.status === 'completed' ? finishedOn(request, now) : undefined
  const statusChanged = known ? known.status !== book.status : book.status !== 'planning'
  const progressChanged =
    known !== null && progressFields.some((name) => known[name] !== book[name])
  if (statusChanged || progressChanged) {
    const day = await readersDay(tx, book.user, request, now)
    if (statusChanged)
      await updateReadings(tx, { before: known, after: book, day, finished, moment, isUndo })
    if (progressChanged && !isUndo) await logProgress(tx, known, book, { day, now })
  }
  if (!statusChanged && known && known.rating !== book.rating) await rateReading(tx, book)
  const isFinish = statusChanged && book.status === 'completed' && !isUndo
  const events = [
    known === null && 'book.added',
    progressChanged && !isFinish && 'book.progress',
    isFinish && 'book.finished',
    (known?.rating ?? 0) !== book.rating && 'book.rated',
  ] as const
  for (const type of events)
    if (type) await tellWebhooks(tx, book.user, { type, at: now, data: () => bookData(book) })
  if (before) await updateCopies(tx, before, book)
}

const progressFields = ['progress', 'progress_percent', 'progress_minutes'] as const

/** The fields that a shelf, the timeline and a book's key depend on. */
const derivedFrom = [
  ...(['shelf', 'title', 'authors', 'isbn', 'images', 'image'] as const),
  ...(['status', 'progress', 'progress_percent', 'isPrivate'] as const),
]

const alreadyThere = fieldError('bookOnShelf', {}, 'validation_not_unique')
const alreadyOwned = fieldError('editionOwned', {}, 'validation_not_unique')

/** The values to validate, with the page and the percentage derived from each other. */
function asForm(before: Book | null, book: Book): Record<string, unknown> {
  return {
    ...book,
    authors: book.authors ?? [],
    genres: book.genres ?? [],
    images: book.images ?? [],
    ...readingPosition(before, book),
  }
}

async function ownsShelf(tx: LibraryTransaction, book: Book): Promise<boolean> {
  const shelf = await lockShelf(tx, book.shelf)
  return shelf !== null && shelf.user === book.user
}

/** Whether another record on the shelf has the same ISBN. */
async function isOnShelf(tx: LibraryTransaction, book: Book): Promise<boolean> {
  if (!book.isbn) return false
  const { id, shelf, book_key } = book
  return (await findDuplicate(tx, { id, shelf, book_key })).length > 0
}

const findDuplicate = prepared<Record<'id' | 'shelf' | 'book_key', unknown>>(
  (value) => sql`SELECT 1 FROM user_books
    WHERE shelf = ${value('shelf')} AND book_key = ${value('book_key')}
      AND isbn <> '' AND id <> ${value('id')} LIMIT 1`,
)

/** The shelves whose count or covers change, each with the difference in books. */
function shelvesChanged(before: Book | null, after: Book | null): [shelf: string, by: number][] {
  if (before && after && before.shelf === after.shelf)
    return look(before) === look(after) ? [] : [[after.shelf, 0]]
  return [
    ...shelvesOf(before, null).map((shelf): [string, number] => [shelf, -1]),
    ...shelvesOf(null, after).map((shelf): [string, number] => [shelf, 1]),
  ]
}

function shelvesOf(before: Book | null, after: Book | null): string[] {
  return [...new Set([before?.shelf ?? '', after?.shelf ?? ''])].filter(Boolean)
}

/** What a shelf shows of a book, as a key to compare. */
function look(book: Book): string {
  return JSON.stringify([book.title, book.authors[0], coverOf(book)])
}
