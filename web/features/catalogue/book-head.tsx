import { isbnOf, type Book } from '#shared/book.ts'
import { coverPath } from '#shared/cover.ts'
import { useSite } from '#web/api/site.ts'
import { bookPath } from './book-card.tsx'
import { bookStructuredData, descriptionText } from './book-facts.ts'
import { t } from '#web/i18n/catalogue.ts'
import { PageAddress } from '#web/i18n/page-address.tsx'
import { withCommas } from '#web/i18n/format.ts'
import { JsonLd } from '#web/ui/json-ld.tsx'

/** Title, link previews and structured data; React moves what belongs there into the head. */
export function BookHead({ book }: { book: Book }) {
  const site = useSite().url
  const url = `${site}${bookPath(book) ?? ''}`
  const cover = coverPath(book.image_links, { title: book.title, author: book.authors[0] }, 500)
  const image = cover && `${site}${cover}`
  const isbn = isbnOf(book)
  const heading =
    book.authors.length > 0
      ? t('titleBy', { title: book.title, authors: withCommas(book.authors) })
      : book.title
  const description = book.description.trim() ? descriptionText(book.description) : heading
  return (
    <>
      <title>{`${book.title} | Octavo`}</title>
      <meta name="description" content={description} />
      <PageAddress url={url} />
      <meta property="og:site_name" content="Octavo" />
      <meta property="og:type" content="book" />
      <meta property="og:title" content={heading} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      {isbn ? <meta property="og:image" content={`${site}/previews/book/${isbn}.jpg`} /> : null}
      <meta name="twitter:card" content="summary_large_image" />
      {book.isbns.ISBN_13 ? <meta property="book:isbn" content={book.isbns.ISBN_13} /> : null}
      <JsonLd data={bookStructuredData(book, url, image)} />
    </>
  )
}
