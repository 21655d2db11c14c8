import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { Link } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { useSession } from '#web/api/session.ts'
import { t } from '#web/i18n/readings.ts'
import { Chip } from '#web/ui/chip.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'

/** Fetched where a note or a review is shown. */
const Markdown = lazy(async () => ({ default: (await import('#web/ui/markdown.tsx')).Markdown }))

/** @returns whether {@link PersonalDetails} has anything to show */
export function hasPersonalDetails({ tags, review, notes, format, isPrivate }: UserBook): boolean {
  return tags.length > 0 || Boolean(review || notes || format || isPrivate)
}

/** Tags, review, private note, format and privacy of a book. */
export function PersonalDetails({ book, isOwner }: { book: UserBook; isOwner: boolean }) {
  const { tags, review, notes = '', format, duration, isPrivate } = book
  const own = useSession()?.user.username
  const owner = book.expand?.user?.username ?? (isOwner ? own : undefined)
  const facts = [
    format ? t(`format.${format}`) : '',
    format === 'audio' && duration > 0 ? t('minutesShort', { count: duration }) : '',
  ].filter(Boolean)
  return (
    <div className="grid grid-cols-1 gap-3">
      {isPrivate ? (
        <p className="flex items-center gap-2 text-sm">
          <Lock aria-hidden className="size-4" />
          {t('onlyYouSeeThisBook')}
        </p>
      ) : null}
      <ul aria-label={t('tags')} className="flex flex-wrap gap-2 empty:hidden">
        {tags.map((tag) => (
          <li key={tag}>
            <Chip asChild={Boolean(owner)}>
              {owner ? (
                <Link to={`/u/${owner}/books?tag=${encodeURIComponent(tag)}`}>
                  <bdi>{tag}</bdi>
                </Link>
              ) : (
                tag
              )}
            </Chip>
          </li>
        ))}
      </ul>
      <p className="text-sm text-ink-soft empty:hidden">{facts.join(' · ')}</p>
      {review ? <Review book={book} text={review} /> : null}
      {notes ? (
        <Prose title={t('privateNote')}>
          <Markdown text={notes} />
        </Prose>
      ) : null}
    </div>
  )
}

/** One that tells the story is folded. */
function Review({ book, text }: { book: UserBook; text: string }) {
  if (!book.review_spoilers)
    return (
      <Prose title={t('review')}>
        <Markdown text={text} />
      </Prose>
    )
  return (
    <Disclosure summary={t('reviewWithSpoilers')} className="border-t">
      <div className="grid max-w-prose gap-2 leading-7 wrap-anywhere text-ink">
        <Markdown text={text} />
      </div>
    </Disclosure>
  )
}

function Prose({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-1">
      <h3 className="font-sans text-sm font-medium text-ink-soft">{title}</h3>
      <div className="grid max-w-prose gap-2 leading-7 wrap-anywhere">{children}</div>
    </div>
  )
}
