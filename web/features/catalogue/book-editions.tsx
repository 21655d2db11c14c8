import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { languageName, type Book } from '#shared/book.ts'
import { editionsQuery } from '#web/api/book-info.ts'
import { useApi } from '#web/api/context.ts'
import { Button } from '#web/ui/button.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { bookPath } from './book-card.tsx'
import { publishedText } from './book-facts.ts'

const shownAtFirst = 5

/** The same work in other languages, bindings and years; nothing when there is no other. */
export function BookEditions({ book }: { book: Book }) {
  const [isOpen, setIsOpen] = useState(false)
  const { data: editions = [] } = useQuery(editionsQuery(useApi(), book.id))
  const linked = editions.filter((edition) => bookPath(edition))
  if (linked.length === 0) return null
  return (
    <section className="max-w-prose">
      <h2 className="mb-2 text-xl">{t('otherEditions')}</h2>
      <ul className="border-t border-line">
        {linked.slice(0, isOpen ? undefined : shownAtFirst).map((edition) => (
          <li key={edition.id} className="relative border-b border-line py-3">
            <Link
              to={bookPath(edition) ?? ''}
              prefetch="intent"
              className="font-medium wrap-anywhere after:absolute after:inset-0 hover:underline"
            >
              <bdi>{edition.title}</bdi>
            </Link>
            <p className="text-sm text-ink-soft tabular-nums">{editionFacts(edition)}</p>
          </li>
        ))}
      </ul>
      {linked.length > shownAtFirst && !isOpen ? (
        <Button variant="quiet" size="sm" className="-ms-3 mt-1" onClick={() => setIsOpen(true)}>
          {t('showAllEditions', { count: linked.length })}
        </Button>
      ) : null}
    </section>
  )
}

function editionFacts({ language, format, published_date, publisher, page_count }: Book): string {
  const published = published_date || publisher ? publishedText(published_date, publisher) : ''
  const pages = page_count > 0 ? t('pageCount', { count: page_count }) : ''
  const name = language ? languageName(language, currentLanguage()) : ''
  return [name, format, published, pages].filter(Boolean).join(' · ')
}
