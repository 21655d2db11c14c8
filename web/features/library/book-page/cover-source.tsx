import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/library.ts'
import { sourceNames } from '#shared/book.ts'

/** Says where a cover that was looked up is from. */
export default function CoverSource({ book: { completed } }: { book: UserBook }) {
  const source = completed?.images?.source
  if (!source) return null
  return (
    <p className="mt-2 text-sm text-ink-soft">
      {source === 'catalogue'
        ? t('coverFrom.catalogue')
        : t('coverFrom', { source: sourceNames[source] })}
    </p>
  )
}
