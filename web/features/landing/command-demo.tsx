import { useState, type FormEvent } from 'react'
import { foldText } from '#shared/text.ts'
import { readCommand } from '#web/features/library/command/command.ts'
import { Button } from '#web/ui/button.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { useHydrated } from '#web/ui/hydrated.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { t } from '#web/i18n/landing.ts'
import type { LandingBook } from './landing-books.ts'

type Kept = { book: LandingBook; page: number } | { book: LandingBook; isWanted: true }

/** A demo of the palette's command line; nothing is saved. */
export function CommandDemo({ books }: { books: readonly LandingBook[] }) {
  const paged = books.filter(({ pages }) => pages > 0)
  const [sample] = [...paged.filter(({ pages }) => pages >= 180), ...paged]
  const [kept, setKept] = useState<Kept | undefined>(sample && { book: sample, page: 57 })
  const [error, setError] = useState<string>()
  // Sent by the browser itself, the line would only load the page again.
  const isLive = useHydrated()

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const line = new FormData(event.currentTarget).get('line')
    // If two titles contain the word, take the one that is shown.
    const next = keep(typeof line === 'string' ? line : '', kept ? [kept.book, ...paged] : paged)
    setError(typeof next === 'string' ? next : undefined)
    if (typeof next !== 'string') setKept(next)
  }

  if (!sample || !kept) return null
  const { book } = kept
  const isDone = 'page' in kept && kept.page === book.pages
  return (
    <>
      <form className="flex flex-wrap items-start gap-2" onSubmit={submit}>
        <TextField
          label={t('titleAndPage')}
          hideLabel
          name="line"
          autoComplete="off"
          defaultValue={`${keyWord(sample.title)} ${Math.min(170, sample.pages)}`}
          error={error}
          className="min-w-0 flex-[1_1_8rem]"
        />
        <Button type="submit" disabled={!isLive} className="min-h-11">
          {t('save')}
        </Button>
      </form>
      <div className="my-auto flex flex-wrap items-center gap-5">
        <Cover
          title={book.title}
          author={book.author}
          src={book.cover}
          alt=""
          className="max-w-20"
        />
        <output className="grid min-w-0 flex-[1_1_9rem] grid-cols-1 justify-items-start gap-2">
          <span dir="auto" className="line-clamp-2 font-serif font-medium">
            {book.title}
          </span>
          <StatusBadge
            status={'isWanted' in kept ? 'planning' : isDone ? 'completed' : 'reading'}
          />
          {'page' in kept ? (
            <span className="w-full">
              <ProgressBar
                percent={(kept.page / book.pages) * 100}
                label={t('readingProgressOf', { title: book.title })}
                text={t('pageOfPages', { page: kept.page, pages: book.pages })}
                showText
                tone={isDone ? 'completed' : 'rubric'}
              />
            </span>
          ) : null}
        </output>
      </div>
    </>
  )
}

/** @returns what the line does to one of the books, or why it does nothing */
function keep(line: string, books: readonly LandingBook[]): Kept | string {
  const command = readCommand(line)
  if (!command) return t('lineIsUnclear')
  const asked = foldText(command.title)
  const book = books.find(({ title }) => foldText(title).includes(asked))
  if (!book) return t('notOnThisPage', { title: command.title })
  if (command.kind === 'want') return { book, isWanted: true }
  if (command.kind === 'finish') return { book, page: book.pages }
  const page = command.isPercent
    ? Math.round((Math.min(100, command.number) * book.pages) / 100)
    : command.number
  return page > book.pages ? t('progressExceedsPages') : { book, page }
}

/** The word that somebody would type to mean the book. */
function keyWord(title: string): string {
  const words = title.split(/[^\p{L}\p{N}’'-]+/u).filter(Boolean)
  const [longest = title] = words.toSorted((a, b) => b.length - a.length)
  return longest.toLowerCase()
}
