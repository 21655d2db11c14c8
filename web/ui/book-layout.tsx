import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A title longer than this would push the rest off a phone's first screen at its full size. */
const longTitle = 60

/**
 * The page of a book. On a wide screen its cover carries the panel and stays in sight beside the
 * rest; on a phone cover and heading stand side by side, and the panel comes below them.
 */
export function BookLayout(props: {
  heading: ReactNode
  cover: ReactNode
  /** Status, page, rating and shelves. */
  panel: ReactNode
  children: ReactNode
}) {
  const { heading, cover, panel, children } = props
  return (
    <article className="grid grid-cols-[min(10rem,45%)_minmax(0,1fr)] gap-x-4 sm:grid-cols-[12.5rem_minmax(0,1fr)] sm:grid-rows-[auto_1fr_auto] sm:gap-x-8 lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-x-14">
      <div className="col-start-2 row-start-1 min-w-0">{heading}</div>
      {/* One column that stays, if a whole screen has room for it; apart on narrower ones. */}
      <div className="contents lg:top-22 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:block lg:self-start [@media(min-width:64rem)_and_(min-height:56rem)]:sticky">
        <div className="col-start-1 row-start-1 sm:max-lg:row-span-2">{cover}</div>
        <div className="col-span-2 mt-4 min-w-0 sm:max-lg:col-span-1 sm:max-lg:col-start-2">
          {panel}
        </div>
      </div>
      <div className="@container col-span-2 mt-5 min-w-0 lg:col-span-1 lg:col-start-2">
        {children}
      </div>
    </article>
  )
}

/** Title, people and facts of a book, and the menu of its page. */
export function BookHeading(props: {
  title: string
  subtitle?: string | undefined
  authors: ReactNode
  /** One quiet line. */
  facts: ReactNode
  /** The readers' average rating. */
  rating?: ReactNode
  menu: ReactNode
}) {
  const { title, subtitle, authors, facts, rating, menu } = props
  return (
    <header className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2">
      <h1
        dir="auto"
        className={classNames(
          'col-span-2 text-match-parent wrap-anywhere lg:col-span-1',
          title.length > longTitle ? 'text-xl lg:text-3xl' : 'text-2xl lg:text-4xl',
        )}
      >
        {title}
      </h1>
      <div className="col-span-2 grid grid-cols-1 gap-1 lg:mt-1">
        {subtitle ? (
          <p dir="auto" className="text-match-parent font-serif text-lg text-ink-soft">
            {subtitle}
          </p>
        ) : null}
        {authors}
      </div>
      <div className="col-span-2 text-sm wrap-anywhere text-ink-soft tabular-nums max-lg:mt-2 lg:mt-1">
        {rating}
        <p>{facts}</p>
      </div>
      <div className="max-lg:-my-1 lg:col-start-2 lg:row-start-1 print:hidden">{menu}</div>
    </header>
  )
}
