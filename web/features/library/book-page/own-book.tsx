import { useQuery } from '@tanstack/react-query'
import { useApi } from '#web/api/context.ts'
import { copiesQuery } from '#web/api/library.ts'
import { useSession } from '#web/api/session.ts'
import { rich, t } from '#web/i18n/books.ts'
import { RecordPage } from './record-page.tsx'

/**
 * A book that the catalogue does not know, as its reader wrote it down. When the last copy is taken
 * away nothing is left of it to show.
 *
 * @param isbn of a book that the signed-in reader has
 */
export function OwnBook({ isbn }: { isbn: string }) {
  const { data: copies = [] } = useQuery(copiesQuery(useApi(), useSession()?.user.id ?? '', isbn))
  const [book] = copies
  if (!book) return <p className="text-ink-soft">{t('noLongerOnYourShelves')}</p>
  return (
    <>
      <title>{`${book.title} | Octavo`}</title>
      <RecordPage
        book={book}
        copies={copies}
        facts={rich('ownBookFacts', {
          isbn: book.isbn,
          pages: book.page_count,
          number: (isbn) => (
            <span key="isbn" className="tabular-nums">
              {isbn}
            </span>
          ),
        })}
      />
    </>
  )
}
