import type { Profile } from '#shared/account.ts'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Stat, StatList } from '#web/ui/stat.tsx'
import { t } from '#web/i18n/people.ts'
import { formatNumber } from '#web/i18n/format.ts'

/** A reader's four numbers, each distinct book counted once. */
export function ProfileStats({ profile }: { profile: Profile }) {
  const scale = useRatingScale()
  return (
    <Panel className="mb-8">
      <StatList>
        <Stat
          label={t('avgRating')}
          value={formatNumber((profile.average_rating * scale) / 10, {
            minimumFractionDigits: 2,
            maximumFractionDigits: 2,
          })}
        />
        <Stat label={t('booksRead')} value={formatNumber(profile.books_read)} />
        <Stat
          label={t('shelvesCreated')}
          value={formatNumber(profile.shelves_count)}
          className="max-sm:hidden"
        />
        <Stat label={t('pagesRead')} value={formatNumber(profile.pages_read)} />
      </StatList>
    </Panel>
  )
}
