import { useQuery } from '@tanstack/react-query'
import { data, useParams } from 'react-router'
import { recordPath } from '#shared/book-path.ts'
import { quotesQuery, readingsQuery } from '#web/api/book-journal.ts'
import { useApi } from '#web/api/context.ts'
import { copiesOfRecordQuery, recordQuery } from '#web/api/library.ts'
import { browserLoader, serverLoader, type Load, noMeta } from '#web/api/load.ts'
import { useLiveReader } from '#web/api/realtime.ts'
import { sessionQuery, useSession } from '#web/api/session.ts'
import { BookEditorHost } from '#web/features/library/book-editor/book-editor-host.tsx'
import { RecordPage } from '#web/features/library/book-page/record-page.tsx'
import { bookAction } from '#web/features/library/reading/book-action.ts'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { withCommas } from '#web/i18n/format.ts'
import { Container } from '#web/ui/page-shell.tsx'

const load: Load = async ({ api, fetch, startPages, params }) => {
  const [[book], session] = await Promise.all([
    fetch(recordQuery(api, params['bookId'] ?? '')),
    fetch(sessionQuery(api)),
  ])
  const username = params['username']?.toLowerCase()
  if (!book || book.expand?.user?.username !== username) throw notFound()
  await Promise.all(
    session?.user.id === book.user
      ? [fetch(copiesOfRecordQuery(api, book))]
      : [startPages(readingsQuery(api, book)), startPages(quotesQuery(api, book))],
  )
}

const notFound = () => data({ message: t('sorryWeCannotFindThe') }, { status: 404 })

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const action = bookAction

export const meta = noMeta

/** One reader's record of a book, with an ISBN or without. */
export default function ReaderBookScreen() {
  const { bookId = '' } = useParams()
  const user = useSession()?.user.id
  useLiveReader(user)
  const api = useApi()
  const [book] = useQuery(recordQuery(api, bookId)).data ?? []
  const isOwner = book !== undefined && book.user === user
  const { data: copies = [] } = useQuery({
    ...copiesOfRecordQuery(api, book),
    enabled: isOwner,
  })
  if (!book || (isOwner && !copies.length))
    return (
      <Container>
        <p className="text-ink-soft">{t('sorryWeCannotFindThe')}</p>
      </Container>
    )
  const { title, authors, isbn, page_count } = book
  const pages = page_count > 0 ? t('pageCount', { count: page_count }) : ''
  return (
    <Container>
      <PageMeta
        title={title}
        description={authors.length ? t('titleBy', { title, authors: withCommas(authors) }) : title}
        path={recordPath(book.expand?.user?.username ?? '', book.id)}
      />
      <BookEditorHost>
        <RecordPage
          book={copies[0] ?? book}
          copies={copies}
          facts={[pages, isbn && `ISBN ${isbn}`].filter(Boolean).join(' · ')}
        />
      </BookEditorHost>
    </Container>
  )
}
