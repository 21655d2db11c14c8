import { Pencil } from 'lucide-react'
import { lazy } from '#web/ui/lazy.ts'
import type { Reading } from '#shared/reading.ts'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { readingsQuery } from '#web/api/book-journal.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Rating } from '#web/ui/rating.tsx'
import { readingDates } from './reading-dates.ts'
import { t } from '#web/i18n/readings.ts'
import { JournalList } from './journal-list.tsx'

const ReadingForm = lazy(() => import('./reading-form.tsx'))

/** Each time through a book, with its days as far as they are known. */
export function BookReadings({ book, isOwner }: { book: UserBook; isOwner: boolean }) {
  return (
    <JournalList
      source={readingsQuery(useApi(), book)}
      isOwner={isOwner}
      title={t('readings')}
      nameOf={readingDates}
      form={(reading, onClose) => <ReadingForm book={book} reading={reading} onClose={onClose} />}
    >
      {(reading, name, onEdit) => <Facts reading={reading} name={name} onEdit={onEdit} />}
    </JournalList>
  )
}

function Facts(props: { reading: Reading; name: string; onEdit: (() => void) | undefined }) {
  const { reading, name, onEdit } = props
  const { started, finished, outcome, pages, minutes, rating } = reading
  const endIsSaid = finished !== '' && started === ''
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
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft empty:hidden">
          {[endIsSaid ? '' : t(`outcome.${outcome}`), length].filter(Boolean).join(' · ')}
          {rating > 0 ? <Rating value={rating} className="text-sm" /> : null}
        </p>
      </div>
      {onEdit ? (
        <IconButton
          label={t('changeReading', { dates: name })}
          className="size-11"
          onClick={onEdit}
        >
          <Pencil aria-hidden />
        </IconButton>
      ) : null}
    </div>
  )
}
