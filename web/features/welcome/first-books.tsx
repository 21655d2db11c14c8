import { useQuery } from '@tanstack/react-query'
import type { Book } from '#shared/book.ts'
import { curatedQuery } from '#web/api/catalogue.ts'
import { useApi } from '#web/api/context.ts'
import { CoverCard } from '#web/ui/cover-card.tsx'
import { t } from '#web/i18n/welcome.ts'
import { ScriptButton } from '#web/ui/script-button.tsx'

/** Books from each section of Explore. */
export const offeredAtOnce = 3

/** Well-known books to pick from before anything is typed. */
export function FirstBooks(props: {
  /** Ids of books that are not to be offered again. */
  picked: readonly string[]
  onPick: (book: Book) => void
}) {
  const { picked, onPick } = props
  const { data } = useQuery(curatedQuery(useApi(), offeredAtOnce))
  const books = data ? [...data.classics, ...data.manga] : []
  const offered = books.filter(({ id }) => !picked.includes(id))
  // The search does without them.
  if (offered.length === 0) return null
  return (
    <section aria-labelledby="first-books" className="grid gap-3">
      <h2 id="first-books" className="font-sans text-sm font-medium text-ink-soft">
        {t('orPickAPopularOne')}
      </h2>
      <ul className="grid grid-cols-3 gap-x-4 gap-y-5 sm:grid-cols-6 sm:gap-x-3">
        {offered.map((book) => (
          <li key={book.id} className="grid">
            <CoverCard
              title={book.title}
              author={book.authors[0]}
              src={book.image_links}
              priority
              link={
                <ScriptButton
                  aria-label={t('pickBook', { title: book.title })}
                  onClick={() => onPick(book)}
                />
              }
              className="[&_button]:text-start [&_h3]:text-sm sm:[&_h3]:text-[0.8125rem] [&_p]:line-clamp-2 [&_p]:text-xs"
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
