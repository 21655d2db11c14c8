import type { SeriesBooks } from '#shared/series.ts'
import { OwnedRecords } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { WantMissing } from '#web/features/library/add-to-shelf/want-missing.tsx'
import { coverGridClass } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { OwnPart } from './own-part.tsx'
import { Entries, useOwnRecords } from './series-books.tsx'
import { SeriesHead } from './series-head.tsx'

/** The page of a series: its head, what its reader has of it, and its books in order. */
export function SeriesGrid({ found }: { found: SeriesBooks }) {
  const { series, entries } = found
  return (
    <OwnedRecords records={useOwnRecords(found)}>
      <SeriesHead found={found} />
      <OwnPart
        found={found}
        end={(missing) => (missing.length > 0 ? <WantMissing books={missing} /> : null)}
      />
      <h2 className="sr-only">{t('inThisSeries')}</h2>
      <Entries label={series.name} entries={entries} className={coverGridClass} />
    </OwnedRecords>
  )
}
