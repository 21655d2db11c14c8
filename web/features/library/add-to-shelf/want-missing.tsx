import { useQueryClient } from '@tanstack/react-query'
import { BookmarkPlus } from 'lucide-react'
import { useState } from 'react'
import type { Book } from '#shared/book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { addBooks, refreshLibrary } from '#web/api/library.ts'
import { useSession } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { showError } from '#web/ui/fetch-toast.ts'
import { useSingleFlight } from '#web/ui/single-flight.ts'
import { t } from '#web/i18n/catalogue.ts'
import { useAddedToast } from '../trash/undo.ts'
import { recordOf } from './add-to-shelf-book.ts'
import { findOrCreateShelf, wantShelf } from './add-to-shelf-first.ts'

/** Puts all volumes that are missing on the shelf of wanted books, with Undo in the message. */
export function WantMissing({ books }: { books: readonly Book[] }) {
  const api = useApi()
  const queries = useQueryClient()
  const user = useSession()?.user.id ?? ''
  const tellAdded = useAddedToast()
  const [isPending, setPending] = useState(false)

  const want = useSingleFlight(async () => {
    setPending(true)
    try {
      const shelf = await findOrCreateShelf(api, queries, user, wantShelf())
      const ids = await addBooks(
        api,
        books.map((book) => recordOf(book, { shelf, status: 'planning' })),
      )
      await tellAdded(t('wantedMissing', { count: ids.length }), ids)
    } catch (error) {
      showError(errorMessage(error))
    } finally {
      refreshLibrary(queries)
      setPending(false)
    }
  })

  return (
    <Button icon={<BookmarkPlus />} pending={isPending} onClick={() => void want()}>
      {t('wantMissing', { count: books.length })}
    </Button>
  )
}
