import { redirect } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { parseBookSlug } from '#shared/book.ts'
import { numberOf } from '#shared/digits.ts'
import { parseIsbn } from '#shared/isbn.ts'
import { FormError, serverAction, type ActInput } from '#web/api/act.ts'
import { bookQuery } from '#web/api/catalogue.ts'
import { isSignedOut } from '#web/api/errors.ts'
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
  async (input) => {
    const { form, url } = input
    try {
      await ('want' in form ? wantToRead(input) : changeBook(input))
    } catch (error) {
      if (!isSignedOut(error)) throw error
      return redirect(`/login?${new URLSearchParams({ origin: url.pathname }).toString()}`, 303)
    }
    return redirect(url.pathname + url.search, 303)
  },
  { kept: ['book', 'position'] },
)

async function changeBook({ api, form }: ActInput): Promise<void> {
  const records = api.collection<UserBook>('user_books')
  const book = await records.getOne(form['book'] ?? '')
  await records.update(book.id, await changeOf(book, form))
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
