import { useQuery } from '@tanstack/react-query'
import { CalendarPlus, Pencil } from 'lucide-react'
import { useState } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import type { Reading } from '#shared/reading.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { dataError } from '#web/api/errors.ts'
import { readingsQuery } from '#web/api/book-journal.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { JournalSection } from './journal-section.tsx'
import { readingDates } from './reading-dates.ts'
import { t } from '#web/i18n/readings.ts'

const ReadingForm = lazy(() => import('./reading-form.tsx'))

/** Each time through a book, with its days as far as they are known. */
export function BookReadings({ book, isOwner }: { book: UserBook; isOwner: boolean }) {
  const query = useQuery(readingsQuery(useApi(), book))
  const [edited, setEdited] = useState<string | null>(null)
  const { data: readings = [] } = query
  const close = () => setEdited(null)
  if (query.isError && readings.length === 0) return <ErrorState {...dataError(query)} />
  if (!isOwner && readings.length === 0) return null
  return (
    <JournalSection
      title={t('readings')}
      action={
        isOwner && edited !== 'new' ? (
          <Button
            size="sm"
            className="min-h-11"
            icon={<CalendarPlus />}
            onClick={() => setEdited('new')}
          >
            {t('logAReading')}
          </Button>
        ) : null
      }
    >
      {edited === 'new' ? <ReadingForm book={book} onClose={close} /> : null}
      {readings.length === 0 && edited !== 'new' && query.isSuccess ? (
        <p className="text-sm text-ink-soft">{t('noReadings')}</p>
      ) : null}
      <ol aria-label={t('readings')} className="grid grid-cols-1 gap-2 empty:hidden">
        {readings.map((reading) => (
          <li key={reading.id} className="grid grid-cols-1 border-t border-line pt-1">
            {edited === reading.id ? (
              <ReadingForm book={book} reading={reading} onClose={close} />
            ) : (
              <Facts reading={reading} onEdit={isOwner ? () => setEdited(reading.id) : undefined} />
            )}
          </li>
        ))}
      </ol>
    </JournalSection>
  )
}

function Facts(props: { reading: Reading; onEdit: (() => void) | undefined }) {
  const { reading, onEdit } = props
  const { outcome, pages, minutes, rating } = reading
  const length =
    minutes > 0
      ? t('minutesShort', { count: minutes })
      : pages > 0
        ? t('pageCount', { count: pages })
        : ''
  return (
    <div className="flex min-h-11 items-center justify-between gap-3">
      <div className="grid min-w-0">
        <p className="font-medium">{readingDates(reading)}</p>
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
          {[t(`outcome.${outcome}`), length].filter(Boolean).join(' · ')}
          {rating > 0 ? <Rating value={rating} className="text-sm" /> : null}
        </p>
      </div>
      {onEdit ? (
        <IconButton
          label={t('changeReading', { dates: readingDates(reading) })}
          className="size-11"
          onClick={onEdit}
        >
          <Pencil aria-hidden />
        </IconButton>
      ) : null}
    </div>
  )
}
