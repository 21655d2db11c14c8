import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { readBookPath, recordPath } from '#shared/book-path.ts'
import type { DiaryEntry } from '#shared/diary.ts'
import { partialDateText } from '#shared/partial-date.ts'
import { becauseLikedQuery } from '#web/api/because-liked.ts'
import { useApi } from '#web/api/context.ts'
import { diaryQuery } from '#web/api/diary.ts'
import { goalsQuery } from '#web/api/goals.ts'
import { nextVolumesQuery } from '#web/api/next-volumes.ts'
import { Cover } from '#web/ui/cover.tsx'
import { useHeld } from '#web/ui/held.ts'
import { TextLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/page-shell.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/year.ts'
import { GoalCard } from './goal-card.tsx'

/** How many of the books that were finished last are shown. */
const maxLately = 6

/**
 * A reader's own year on their home: their goals, what they finished this month and lately, what
 * comes next in their series, and what is like a book they liked. What has nothing to say isn't
 * there.
 */
export default function HomeYear({ user }: { user: { id: string; username: string } }) {
  const { id, username } = user
  const api = useApi()
  const list = useHeld(useQuery(goalsQuery(api, username)).data)
  const diary = useHeld(useInfiniteQuery(diaryQuery(api, username)).data)
  const next = useHeld(useQuery(nextVolumesQuery(api, id)).data ?? [])
  const because = useHeld(useQuery(becauseLikedQuery(api, id)).data)
  if (!list || !diary) return null
  const { today } = list
  const goals = list.goals.filter(({ from, to }) => from <= today && today <= to)
  const finished = diary.pages
    .flatMap(({ items }) => items)
    .filter(({ outcome }) => outcome === 'finished')
  const thisMonth = finished.filter(({ finished: day }) => day.startsWith(today.slice(0, 7)))
  const hasYear = goals.length > 0 || thisMonth.length > 0
  const isEmpty = !hasYear && finished.length + next.length === 0 && !because?.liked
  if (isEmpty) return null
  return (
    <div className="gap-x-8 lg:grid lg:grid-cols-[minmax(0,1fr)_22rem]">
      {finished.length > 0 ? (
        <Section
          title={t('finishedLately')}
          aside={<Aside to={`/u/${username}/diary`}>{t('diary')}</Aside>}
        >
          <ul className="grid grid-cols-3 gap-4 sm:grid-cols-6">
            {finished.slice(0, maxLately).map((entry) => (
              <li key={entry.id} className="grid grid-cols-1 content-start gap-1.5">
                <BookCover book={entry.book} path={readBookPath(username, entry.book)} />
                {entry.rating > 0 ? (
                  <Rating isCompact value={entry.rating} className="text-xs" />
                ) : null}
                <p className="text-xs text-ink-soft tabular-nums">
                  {partialDateText(entry.finished, currentLanguage())}
                </p>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      {hasYear ? (
        <Section
          className="lg:col-start-2 lg:row-span-2 lg:row-start-1"
          title={today.slice(0, 4)}
          aside={<Aside to={`/u/${username}/year`}>{t('yourYear')}</Aside>}
        >
          <div className="grid gap-5 rounded-md border border-line bg-surface p-4 dark:border-transparent">
            {goals.map((goal) => (
              <GoalCard key={goal.id} goal={goal} today={today} />
            ))}
            {thisMonth.length > 0 ? (
              <section aria-label={t('thisMonth')}>
                <ul className="grid grid-cols-5 gap-2">
                  {thisMonth.map((entry) => (
                    <li key={entry.id}>
                      <BookCover book={entry.book} path={readBookPath(username, entry.book)} />
                    </li>
                  ))}
                </ul>
              </section>
            ) : null}
          </div>
        </Section>
      ) : null}
      {next.length > 0 ? (
        <Section title={t('nextVolumes')}>
          <ul className="grid grid-cols-3 gap-4 sm:grid-cols-6">
            {next.map(({ series, position, book, own }) => (
              <li key={series.id} className="grid grid-cols-1 content-start gap-1.5">
                <BookCover
                  book={{ ...book, images: book.image_links }}
                  path={own ? recordPath(username, own) : `/book/${book.slug}`}
                />
                <p dir="auto" className="text-match-parent text-xs text-ink-soft">
                  {t('volume', { series: series.name, position })}
                </p>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      {because?.liked ? (
        <Section title={t('becauseLiked', { title: because.liked.title })}>
          <ul className="grid grid-cols-3 gap-4 sm:grid-cols-6">
            {because.books.map((book) => (
              <li key={book.id}>
                <BookCover
                  book={{ ...book, images: book.image_links }}
                  path={`/book/${book.slug}`}
                />
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </div>
  )
}

function Aside({ to, children }: { to: string; children: string }) {
  return (
    <TextLink asChild className="-my-3 py-3 text-sm">
      <Link to={to}>{children}</Link>
    </TextLink>
  )
}

function BookCover(props: {
  book: Pick<DiaryEntry['book'], 'title' | 'authors' | 'images'>
  path: string | undefined
}) {
  const { book, path } = props
  const named = (
    <>
      <Cover title={book.title} author={book.authors[0]} src={book.images} alt="" />
      <span className="sr-only">{book.title}</span>
    </>
  )
  return path ? (
    <Link to={path} title={book.title} className="block rounded-cover">
      {named}
    </Link>
  ) : (
    named
  )
}
