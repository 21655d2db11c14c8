import { useState } from 'react'
import { Link } from 'react-router'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { Spine } from '#web/ui/spine.tsx'
import { t } from '#web/i18n/landing.ts'
import type { LandingBook } from './landing-books.ts'
import { CoverLink } from './cover-link.tsx'
import { spineOf } from './open-shelf.tsx'

const views = ['grid', 'list', 'spines'] as const
type View = (typeof views)[number]

/** The same few books in each of the views of a shelf. */
export function ViewDemo({ books }: { books: readonly LandingBook[] }) {
  const [view, setView] = useState<View>('spines')
  return (
    <>
      <SegmentedControl
        label={t('view')}
        value={view}
        options={views.map((value) => ({ value, label: t(value) }))}
        onValueChange={setView}
      />
      <div className="mt-auto h-64 overflow-hidden">
        {view === 'spines' ? (
          <ul className="flex h-full items-end overflow-x-auto overflow-y-hidden border-b-6 border-line scrollbar-none">
            {books.slice(0, 9).map((book) => (
              <Spine key={book.href} {...spineOf(book)} item={{ className: 'shrink-0' }} />
            ))}
          </ul>
        ) : view === 'grid' ? (
          <ul className="grid h-full grid-cols-5 content-start gap-x-3 gap-y-4 overflow-hidden pt-1">
            {books.slice(0, 10).map((book) => (
              <li key={book.href}>
                <CoverLink book={book} />
              </li>
            ))}
          </ul>
        ) : (
          <ul className="border-t border-line">
            {books.slice(0, 5).map(({ title, author, href }) => (
              <li key={href} className="border-b border-line">
                <Link to={href} className="flex h-[3.125rem] flex-col justify-center">
                  <span dir="auto" className="truncate leading-5 font-medium">
                    {title}
                  </span>
                  <span dir="auto" className="truncate text-xs text-ink-soft">
                    {author}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  )
}
