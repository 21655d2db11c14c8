import { Flag } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Review } from '#shared/book-readers.ts'
import { partialDateText } from '#shared/partial-date.ts'
import { filePath } from '#web/api/file-path.ts'
import { loginPath, useSession } from '#web/api/session.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/reviews.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { IconButton, iconButtonClass } from '#web/ui/icon-button.tsx'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { Markdown } from '#web/ui/markdown.tsx'
import { Rating } from '#web/ui/rating.tsx'

const loadReport = async () =>
  (await import('#web/features/profile/report-dialog.tsx')).ReportDialog

/** One reader's review, with the address of its own and the way to report it. */
export function BookReview({ review: one, isOwn }: { review: Review; isOwn: boolean }) {
  const { reader, rating, review, spoilers, finished } = one
  const { username } = reader
  const address = `/u/${username}/books/${one.user_book}`
  const user = { ...reader, collectionName: 'users' }
  const src = reader.avatar ? filePath(user, reader.avatar, '100x50f') : null
  const text = <ReviewText key={review} text={review} />
  return (
    <li
      data-place={one.user_book}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 border-b border-line py-5 first:pt-0 last:border-b-0"
    >
      <Avatar name={reader.name || username} src={src} />
      <div className="text-sm text-ink-soft">
        <p className="flex flex-wrap items-center gap-x-2">
          <Link
            to={`/u/${username}`}
            className="-my-2 py-2 text-base font-medium wrap-anywhere text-ink hover:underline"
          >
            <bdi>{username}</bdi>
          </Link>
          {isOwn ? <Badge>{t('you')}</Badge> : null}
        </p>
        <p className="flex flex-wrap items-center gap-x-2">
          {rating > 0 ? <Rating value={rating} /> : null}
          <Link
            to={address}
            aria-label={finished ? undefined : t('reviewBy', { username })}
            className="-my-2 py-2 tabular-nums hover:underline"
          >
            {finished
              ? t('finishedOn', { day: partialDateText(finished, currentLanguage()) })
              : t('reviewLink')}
          </Link>
        </p>
      </div>
      {isOwn ? null : <ReportButton username={username} />}
      <div className="col-span-full mt-3 sm:col-span-2 sm:col-start-2">
        {spoilers ? (
          <Disclosure summary={t('hasSpoilers')} className="rounded-md border-0! bg-sunken px-4">
            {text}
          </Disclosure>
        ) : (
          text
        )}
      </div>
    </li>
  )
}

/** Characters and lines from which a review is cut. */
const [longText, manyLines] = [900, 12]

function ReviewText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > longText || text.split('\n').length > manyLines
  const isCut = isLong && !isOpen
  return (
    <>
      <div
        // Expand a truncated review when keyboard focus enters it.
        onFocus={() => setOpen(true)}
        className={classNames(
          'grid gap-2 font-serif text-base leading-[1.625] wrap-anywhere text-ink',
          isCut && 'max-h-52 overflow-clip mask-b-from-70%',
        )}
      >
        <Markdown text={text} />
      </div>
      {isLong ? (
        <Button variant="quiet" size="sm" className="-ms-3" onClick={() => setOpen(!isOpen)}>
          {isCut ? t('readOn') : t('showLess')}
        </Button>
      ) : null}
    </>
  )
}

/** Reports the reader, as their profile does. */
function ReportButton({ username }: { username: string }) {
  const session = useSession()
  const report = useLazyDialog(loadReport)
  const label = t('reportReview', { username })
  const icon = <Flag aria-hidden className="size-4!" />
  if (!session)
    return (
      <Link
        to={loginPath(`/u/${username}`)}
        aria-label={label}
        title={label}
        className={iconButtonClass()}
      >
        {icon}
      </Link>
    )
  return (
    <>
      <IconButton label={label} {...report.button}>
        {icon}
      </IconButton>
      {report.Dialog ? (
        <report.Dialog key={report.round} {...report.state} username={username} />
      ) : null}
    </>
  )
}
