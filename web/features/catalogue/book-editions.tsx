import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { Link } from 'react-router'
import { isbnOf, languageName, type Book } from '#shared/book.ts'
import type { UserBook } from '#shared/user-book.ts'
import { editionsQuery } from '#web/api/book-info.ts'
import { useApi } from '#web/api/context.ts'
import { EditionButton } from '#web/features/library/add-to-shelf/add-to-shelf-edition.tsx'
import {
  keyed,
  OwnedBooks,
  useOwnedBooks,
} from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { Section } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/works.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { bookPath } from './book-card.tsx'
import { publishedText } from './book-facts.ts'

const shownAtFirst = 5

/** The same work in other languages, bindings and years; nothing when there is no other. */
export function BookEditions({ book }: { book: Book }) {
  const { data: editions = [] } = useQuery(editionsQuery(useApi(), book.id))
  const linked = editions.filter((edition) => bookPath(edition))
  if (linked.length === 0) return null
  return (
    <Section title={t('otherEditions')} className="mt-12">
      <OwnedBooks books={keyed([book, ...linked])}>
        <Editions book={book} others={linked} />
      </OwnedBooks>
    </Section>
  )
}

/** A reader of one of them can say which is theirs. */
function Editions({ book, others }: { book: Book; others: readonly Book[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const ownOf = useOwnedBooks()
  const own = ownOf(book)
  const mine = own ?? others.map(ownOf).find(Boolean)
  // The page's own book can be chosen, too.
  const listed = byLanguage(book, mine && !own ? [book, ...others] : others)
  const shown = isOpen ? listed : listed.slice(0, shownAtFirst)
  const groups = Map.groupBy(shown, ({ language }) => nameOf(language))
  return (
    <div className="max-w-prose">
      {[...groups].map(([name, editions]) => (
        <Fragment key={name}>
          <h3 className="mt-4 mb-1 font-sans text-sm font-medium text-ink-soft first:mt-0">
            {name || t('unknown')}
          </h3>
          <ul className="border-t border-line">
            {editions.map((edition) => (
              <Edition key={edition.id} edition={edition} mine={mine} isMine={!!ownOf(edition)} />
            ))}
          </ul>
        </Fragment>
      ))}
      {listed.length > shown.length ? (
        <Button variant="quiet" size="sm" className="-ms-3 mt-1" onClick={() => setIsOpen(true)}>
          {t('showAllEditions', { count: listed.length })}
        </Button>
      ) : null}
    </div>
  )
}

function Edition(props: { edition: Book; mine: UserBook | undefined; isMine: boolean }) {
  const { edition, mine, isMine } = props
  const { title, authors, image_links } = edition
  const facts = editionFacts(edition)
  return (
    <li className="relative flex items-center gap-3 border-b border-line py-3">
      <span className="w-9 shrink-0">
        <Cover title={title} author={authors[0]} src={image_links} alt="" />
      </span>
      <div className="min-w-0 flex-1">
        <Link
          to={bookPath(edition) ?? ''}
          prefetch="intent"
          className="font-medium wrap-anywhere after:absolute after:inset-0 hover:underline"
        >
          <bdi>{title}</bdi>
        </Link>
        <p className="text-sm text-ink-soft tabular-nums">{facts}</p>
      </div>
      {isMine ? (
        <Badge tone="success">{t('yourEdition')}</Badge>
      ) : mine ? (
        <EditionButton mine={mine} edition={edition} facts={facts} />
      ) : null}
    </li>
  )
}

const nameOf = (language: string) => (language ? languageName(language, currentLanguage()) : '')

/** The page's language first, then the others by name; the latest year first in each. */
function byLanguage(book: Book, editions: readonly Book[]): Book[] {
  const place = ({ language }: Book) => {
    if (language === book.language) return 0
    return nameOf(language) ? 1 : 2
  }
  const { compare } = new Intl.Collator(currentLanguage())
  return editions.toSorted(
    (a, b) =>
      place(a) - place(b) ||
      compare(nameOf(a.language), nameOf(b.language)) ||
      b.published_date.localeCompare(a.published_date),
  )
}

function editionFacts(edition: Book): string {
  const { format, published_date, publisher, page_count } = edition
  const published = published_date || publisher ? publishedText(published_date, publisher) : ''
  const pages = page_count > 0 ? t('pageCount', { count: page_count }) : ''
  // Nothing else tells some editions apart.
  const isbn = format || publisher || pages ? '' : isbnOf(edition)
  return [format, published, pages, isbn].filter(Boolean).join(' · ')
}
