import { redirect } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { numberOf } from '#shared/digits.ts'
import { FormError, serverAction, type ActInput } from '#web/api/act.ts'
import { isSignedOut } from '#web/api/errors.ts'
import { positionAt, positionError } from './use-position.ts'

/**
 * The forms about a book of the reader's on any screen, sent without scripts: its position, its next
 * step, and its rating.
 */
export const bookAction = serverAction(
  async ({ api, form, url }) => {
    const records = api.collection<UserBook>('user_books')
    const id = form['book'] ?? ''
    try {
      const book = await records.getOne(id)
      await records.update(id, await changeOf(book, form))
    } catch (error) {
      if (!isSignedOut(error)) throw error
      return redirect(`/login?${new URLSearchParams({ origin: url.pathname }).toString()}`, 303)
    }
    return redirect(url.pathname + url.search, 303)
  },
  { kept: ['book', 'position'] },
)

/** @throws FormError for a position that the book has not */
async function changeOf(book: UserBook, form: ActInput['form']): Promise<Partial<UserBook>> {
  const { status, rating, position = '' } = form
  if (status) return { status: status as UserBook['status'] }
  if (rating) return { rating: Number(rating) }
  const at = positionAt(book, numberOf(position))
  const wrong = await positionError(book, at)
  if (wrong) throw new FormError({ position: wrong })
  return at
}
