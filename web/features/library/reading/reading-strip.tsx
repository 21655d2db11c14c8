import { useQuery } from '@tanstack/react-query'
import { ArrowUpDown } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { readingNowQuery, upNextQuery } from '#web/api/reading.ts'
import { t } from '#web/i18n/books.ts'
import { classNames } from '#web/ui/class-names.ts'
import { useHeld } from '#web/ui/held.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { Part } from '#web/ui/part.tsx'
import { SideScroller } from '#web/ui/side-scroller.tsx'
import { BookLink } from '../book-list/book-link.tsx'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { PositionField } from './position-field.tsx'
import { NextStepButton } from './next-step-button.tsx'
import { nextSteps } from './use-step.tsx'
import { OutboxMark } from '../book-list/outbox-mark.tsx'
import { withCommas } from '#web/i18n/format.ts'
import { UserBookCover } from '../book-list/user-book-cover.tsx'

const none: readonly UserBook[] = []

interface StripProps {
  user: string
  /** While what stands below is in use, a first book doesn't push it away. */
  isSteady?: boolean
  className?: string
}

/**
 * The books a reader is in the middle of, each with its page to save. Heads the reader's own screens;
 * needs a book editor host above it.
 */
export function ReadingStrip(props: StripProps) {
  return (
    <Part>
      <Reading {...props} />
    </Part>
  )
}

/** What a reader reads next; needs a book editor host above it. */
export function UpNext(props: StripProps) {
  return (
    <Part>
      <Next {...props} />
    </Part>
  )
}

/** The books that a reader reads, and those planned. */
function useBooks(user: string) {
  const api = useApi()
  const reading = useHeld(useQuery(readingNowQuery(api, user)).data ?? none)
  const planned = useHeld(useQuery(upNextQuery(api, user)).data ?? none)
  const books = useSteadyOrder(reading)
  return { books, next: planned.filter(({ id }) => !books.some((book) => book.id === id)) }
}

function Reading({ user, isSteady = false, className }: StripProps) {
  const { books, next } = useBooks(user)
  const isEmpty = books.length === 0
  const [isShown, setShown] = useState(!isEmpty)
  if (!isShown && !isEmpty && !isSteady) setShown(true)
  if (!isShown) return null
  return (
    <Row title={t(isEmpty && next.length === 0 ? 'whatNext' : 'readingNow')} className={className}>
      {books.map((book) => (
        <ReadingCard key={book.id} book={book} />
      ))}
      {isEmpty ? (
        <li className="flex min-h-33 w-77.5 items-center rounded-md border border-line bg-surface p-4">
          <TextLink asChild className="-my-3 py-3">
            <Link to="/explore#search">{t('findABook')}</Link>
          </TextLink>
        </li>
      ) : null}
    </Row>
  )
}

function Next({ user, className }: StripProps) {
  const { next } = useBooks(user)
  if (next.length === 0) return null
  return (
    <Row
      title={t('upNext')}
      action={next.length > 1 ? <ChangeOrder user={user} /> : null}
      className={className}
    >
      {next.map((book) => (
        <NextCard key={book.id} book={book} />
      ))}
    </Row>
  )
}

/** A card stays under the finger when its book is saved and comes to be the last touched. */
function useSteadyOrder(books: readonly UserBook[]): readonly UserBook[] {
  const [order, setOrder] = useState<readonly string[]>([])
  const fresh = books.map(({ id }) => id).filter((id) => !order.includes(id))
  if (fresh.length > 0) setOrder([...fresh, ...order])
  return books.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
}

/** Cards to push sideways; one that is cut says that there are more. */
function Row(props: {
  title: string
  action?: ReactNode
  className?: string | undefined
  children: ReactNode
}) {
  const { title, action, className, children } = props
  const id = useId()
  return (
    <section aria-labelledby={id} className={classNames('print:hidden', className)}>
      <header className="mb-3 flex items-center gap-2">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        {action}
      </header>
      <SideScroller
        outerClassName="@container -mx-4 md:-mx-6 lg:mx-0"
        className="scroll-px-4 px-4 pb-2 scrollbar-none md:scroll-px-6 md:px-6 lg:scroll-px-0 lg:px-0"
      >
        <ul className="flex w-max gap-3">{children}</ul>
      </SideScroller>
    </section>
  )
}

const loadUpNext = async () => (await import('./up-next-dialog.tsx')).UpNextDialog

/** Opens all that is planned, to be put in order. */
function ChangeOrder({ user }: { user: string }) {
  const { Dialog, round, state, button } = useLazyDialog(loadUpNext)
  return (
    <>
      <IconButton label={t('changeUpNext')} className="-my-2.5 size-11" {...button}>
        <ArrowUpDown aria-hidden />
      </IconButton>
      {Dialog ? <Dialog key={round} user={user} {...state} /> : null}
    </>
  )
}

const nameClass = 'hover:underline hover:decoration-line-strong hover:underline-offset-4'

interface CardProps {
  book: UserBook
}

/** 132 pixels high where the book has a short title: its bar, and all it takes below. */
function ReadingCard({ book }: CardProps) {
  return (
    <li className="grid min-h-33 w-77.5 max-w-[calc(100vw-3rem)] snap-start grid-cols-[--spacing(17.5)_minmax(0,1fr)] grid-rows-[1fr_auto_auto] gap-x-3.5 rounded-md border border-line bg-surface p-2.75 lg:w-[calc((100cqw-1.5rem)/2.6)]">
      <UserBookCover book={book} priority className="row-span-3 self-start" />
      <div className="min-w-0">
        <h3 className="truncate font-serif text-base leading-5 font-medium">
          <BookLink book={book} title={book.title} className={nameClass}>
            <bdi>{book.title}</bdi>
          </BookLink>
        </h3>
        <p
          className="truncate text-sm leading-4.5 text-ink-soft empty:hidden"
          title={withCommas(book.authors)}
        >
          <bdi>{withCommas(book.authors)}</bdi>
        </p>
        <OutboxMark book={book.id} />
      </div>
      <PositionField
        book={book}
        className="col-start-2 row-start-3 gap-x-0.5!"
        barClassName="col-start-2 row-start-2 h-6"
      >
        <NextStepButton
          book={book}
          step={nextSteps.reading}
          variant="quiet"
          className="min-w-11 px-0.5! text-rubric"
        />
      </PositionField>
    </li>
  )
}

function NextCard({ book }: CardProps) {
  return (
    <li className="grid w-min min-w-22 shrink-0 snap-start content-between gap-2">
      <h3 className="relative">
        <BookLink
          book={book}
          title={book.title}
          className="block rounded-cover after:absolute after:inset-0"
        >
          <UserBookCover book={book} />
          <span className="sr-only">{book.title}</span>
        </BookLink>
      </h3>
      <NextStepButton
        book={book}
        step={nextSteps.planning}
        variant="quiet"
        className="w-full px-2! text-rubric"
      />
    </li>
  )
}
