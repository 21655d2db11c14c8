import { Lock, Pencil } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { Link } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import { useSession } from '#web/api/session.ts'
import { t } from '#web/i18n/readings.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { JournalSection } from './journal-section.tsx'

const PersonalForm = lazy(() => import('./personal-form.tsx'))
/** Fetched where a note or a review is shown. */
const Markdown = lazy(async () => ({ default: (await import('#web/ui/markdown.tsx')).Markdown }))

/** Tags, review, private note, format and privacy of a book. */
export function PersonalDetails({ book: given, isOwner }: { book: UserBook; isOwner: boolean }) {
  const [isEdited, setIsEdited] = useState(false)
  // A sheet shows the book as it was when it was opened.
  const [saved, setSaved] = useState<UserBook>()
  // A note alone leaves `updated` as it was.
  const book = saved && saved.updated >= given.updated ? saved : given
  const { tags, review, notes = '', format, duration, isPrivate } = book
  const own = useSession()?.user.username
  const owner = book.expand?.user?.username ?? (isOwner ? own : undefined)
  const isEmpty = tags.length === 0 && !review && !notes && !format
  if (!isOwner && isEmpty) return null
  const facts = [
    format ? t(`format.${format}`) : '',
    format === 'audio' && duration > 0 ? t('minutesShort', { count: duration }) : '',
  ].filter(Boolean)
  return (
    <JournalSection
      title={isOwner ? t('tagsNoteAndReview') : t('tagsAndReview')}
      action={
        isOwner && !isEdited ? (
          <Button
            size="sm"
            className="min-h-11"
            icon={<Pencil />}
            aria-label={t('changeAbout', { title: book.title })}
            onClick={() => setIsEdited(true)}
          >
            {t('change')}
          </Button>
        ) : null
      }
    >
      {isEdited ? (
        <PersonalForm book={book} onSaved={setSaved} onClose={() => setIsEdited(false)} />
      ) : (
        <div className="grid grid-cols-1 gap-3">
          {isOwner && isEmpty ? <p className="text-sm text-ink-soft">{t('nothingAbout')}</p> : null}
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
      )}
    </JournalSection>
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
