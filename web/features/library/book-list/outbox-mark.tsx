import { CloudUpload } from 'lucide-react'
import { useIsInOutbox } from '#web/api/outbox-changes.ts'
import { t } from '#web/i18n/books.ts'

/** Marks a book whose last change is still on this device only. */
export function OutboxMark({ book }: { book: string }) {
  if (!useIsInOutbox(book)) return null
  return (
    <p className="flex items-center gap-1 text-xs font-medium text-ink-soft">
      <CloudUpload aria-hidden className="size-3.5 shrink-0" />
      {t('waitingToBeSent')}
    </p>
  )
}
