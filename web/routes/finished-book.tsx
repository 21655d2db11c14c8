import { useQuery } from '@tanstack/react-query'
import { data, useParams } from 'react-router'
import { lastFinishedQuery } from '#web/api/book-journal.ts'
import { useApi } from '#web/api/context.ts'
import { recordQuery } from '#web/api/library.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { requireSession } from '#web/api/session.ts'
import { finishAction } from '#web/features/library/finish/finish-action.ts'
import { FinishPage } from '#web/features/library/finish/finish-page.tsx'
import { t } from '#web/i18n/books.ts'
import { Container } from '#web/ui/page-shell.tsx'

const load: Load = async (input) => {
  const { api, fetch, params } = input
  const session = await requireSession(input)
  const [book] = await fetch(recordQuery(api, params['bookId'] ?? ''))
  if (!book || book.user !== session.user.id)
    throw data({ message: t('noLongerOnYourShelves') }, { status: 404 })
  await fetch(lastFinishedQuery(api, book))
}

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const action = finishAction

export const meta = noMeta

/** Asks about a book that was finished without scripts, where they would open a sheet. */
export default function FinishedBookScreen() {
  const { bookId = '' } = useParams()
  const [book] = useQuery(recordQuery(useApi(), bookId)).data ?? []
  if (!book) return null
  return (
    <Container width="narrow">
      <title>{`${t('finishedNamed', { title: book.title })} | Octavo`}</title>
      <FinishPage book={book} />
    </Container>
  )
}
