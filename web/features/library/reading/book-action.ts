import type { UserBook } from '#shared/user-book.ts'
import { parseBookSlug } from '#shared/book.ts'
import { recordPath } from '#shared/book-path.ts'
import { numberOf } from '#shared/digits.ts'
import { parseIsbn } from '#shared/isbn.ts'
import { actAsReader, FormError, serverAction, type ActInput } from '#web/api/act.ts'
import { bookQuery } from '#web/api/catalogue.ts'
import { addBook } from '#web/api/library.ts'
import { sessionQuery } from '#web/api/session.ts'
import { recordOf } from '../add-to-shelf/add-to-shelf-book.ts'
import { findOrCreateShelf, wantShelf } from '../add-to-shelf/add-to-shelf-first.ts'
import { positionAt, positionError } from './use-position.ts'

/**
 * The forms about a book on any screen, sent without scripts: the position, the next step and the
 * rating of the reader's own, and wanting the one that the screen is about.
 */
export const bookAction = serverAction(
  (input) =>
    actAsReader(input.url, async () => {
      const { pathname, search } = input.url
      if (!('want' in input.form)) return (await changeBook(input)) ?? pathname + search
      await wantToRead(input)
      return pathname + search
    }),
  { kept: ['book', 'position'] },
)

/** @returns the page that asks about a book that was finished; undefined for any other change */
async function changeBook({ api, form, url }: ActInput): Promise<string | undefined> {
  const records = api.collection<UserBook>('user_books')
  const book = await records.getOne(form['book'] ?? '', { expand: 'user' })
  const change = await changeOf(book, form)
  await records.update(book.id, change)
  if (change.status !== 'completed') return undefined
  const { status, progress, progress_percent } = book
  const query = new URLSearchParams({
    origin: url.pathname + url.search,
    status,
    progress: String(progress),
    progress_percent: String(progress_percent),
  })
  const path = recordPath(book.expand?.user?.username ?? '', book.id)
  return `${path}/finished?${query.toString()}`
}

/** Puts the book that the screen is about on the shelf of wanted books. */
async function wantToRead({ api, params, queries }: ActInput): Promise<void> {
  const isbn = parseIsbn(parseBookSlug(params['slug'] ?? '').isbn) ?? ''
  const book = await queries.query(bookQuery(api, isbn))
  const session = queries.getQueryData(sessionQuery(api).queryKey)
  if (!book || !session) return
  const shelf = await findOrCreateShelf(api, queries, session.user.id, wantShelf())
  await addBook(api, recordOf(book, { shelf, status: 'planning' }))
}

/** @throws FormError for a position that isn't in the book */
async function changeOf(book: UserBook, form: ActInput['form']): Promise<Partial<UserBook>> {
  const { status, rating, position = '' } = form
  if (status) return { status: status as UserBook['status'] }
  if (rating) return { rating: Number(rating) }
  const at = positionAt(book, numberOf(position))
  const wrong = await positionError(book, at)
  if (wrong) throw new FormError({ position: wrong })
  return at
}
