import { useQuery } from '@tanstack/react-query'
import { ArrowUpDown } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { readingNowQuery, upNextQuery } from '#web/api/reading.ts'
import { t } from '#web/i18n/books.ts'
import { classNames } from '#web/ui/class-names.ts'
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

/**
 * The books a reader is in the middle of, each with its page to save, and what they read next. Heads
 * the reader's own screens; needs a book editor host above it.
 */
export function ReadingStrip(props: StripProps) {
  return (
    <Part>
      <Strip {...props} />
    </Part>
  )
}

interface StripProps {
  user: string
  /** While what stands below is in use, a first book doesn't push it away. */
  isSteady?: boolean
  className?: string
}

function Strip(props: StripProps) {
  const { user, isSteady = false, className } = props
  const api = useApi()
  const { data: reading = none } = useQuery(readingNowQuery(api, user))
  const { data: planned = none } = useQuery(upNextQuery(api, user))
  const books = useSteadyOrder(reading)
  const next = planned.filter(({ id }) => !books.some((book) => book.id === id))
  const isEmpty = books.length === 0 && next.length === 0
  const [isShown, setShown] = useState(!isEmpty)
  if (!isShown && !isEmpty && !isSteady) setShown(true)
  if (!isShown) return null
  return (
    <div ref={keepHeight} className={classNames('print:hidden', className)}>
      <SideScroller
        outerClassName="-mx-4 md:-mx-6 lg:mx-0"
        className="scroll-px-4 px-4 pb-2 scrollbar-none md:scroll-px-6 md:px-6 lg:scroll-px-0 lg:px-0"
      >
        <div className="flex w-max gap-6">
          {books.length > 0 ? (
            <Group title={t('readingNow')}>
              {books.map((book) => (
                <ReadingCard key={book.id} book={book} />
              ))}
            </Group>
          ) : null}
          {next.length > 0 ? (
            <Group
              title={t('upNext')}
              action={next.length > 1 ? <ChangeOrder user={user} /> : null}
            >
              {next.map((book) => (
                <NextCard key={book.id} book={book} />
              ))}
            </Group>
          ) : null}
          {isEmpty ? (
            <Group title={t('whatNext')}>
              <li className="flex min-h-22 w-76 items-center rounded-md border border-line bg-surface p-4">
                <TextLink asChild className="-my-3 py-3">
                  <Link to="/explore#search">{t('findABook')}</Link>
                </TextLink>
              </li>
            </Group>
          ) : null}
        </div>
      </SideScroller>
    </div>
  )
}

/** Keeps its height when a book is finished, so that the content below doesn't jump. */
function keepHeight(strip: HTMLElement | null) {
  if (!strip) return
  const observer = new ResizeObserver(() => {
    strip.style.minHeight = `${strip.offsetHeight}px`
  })
  observer.observe(strip)
  return () => observer.disconnect()
}

/** A card stays under the finger when its book is saved and comes to be the last touched. */
function useSteadyOrder(books: readonly UserBook[]): readonly UserBook[] {
  const [order, setOrder] = useState<readonly string[]>([])
  const fresh = books.map(({ id }) => id).filter((id) => !order.includes(id))
  if (fresh.length > 0) setOrder([...fresh, ...order])
  return books.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
}

function Group(props: { title: string; action?: ReactNode; children: ReactNode }) {
  const { title, action, children } = props
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex shrink-0 flex-col">
      <header className="mb-3 flex items-center gap-2">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        {action}
      </header>
      <ul className="flex flex-1 gap-3">{children}</ul>
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

function ReadingCard({ book }: CardProps) {
  return (
    <li className="grid w-76 max-w-[calc(100vw-3rem)] snap-start grid-cols-[--spacing(18)_minmax(0,1fr)] content-start gap-x-4 rounded-md border border-line bg-surface p-4 pb-3">
      <UserBookCover book={book} priority className="row-span-2 self-start" />
      <div className="min-w-0 pb-2">
        <h3 className="line-clamp-2 font-serif text-base leading-5 font-medium wrap-anywhere">
          <BookLink book={book} className={nameClass}>
            <bdi>{book.title}</bdi>
          </BookLink>
        </h3>
        <p
          className="mt-0.5 truncate text-sm text-ink-soft empty:hidden"
          title={withCommas(book.authors)}
        >
          <bdi>{withCommas(book.authors)}</bdi>
        </p>
        <OutboxMark book={book.id} />
      </div>
      <PositionField
        book={book}
        className="col-start-2 row-start-2 self-end"
        end={<NextStepButton book={book} step={nextSteps.reading} withIcon />}
      />
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
      <NextStepButton book={book} step={nextSteps.planning} className="w-full px-2!" />
    </li>
  )
}
