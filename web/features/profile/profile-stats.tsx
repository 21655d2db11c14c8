import type { Profile } from '#shared/account.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Stat, StatList } from '#web/ui/stat.tsx'
import { t } from '#web/i18n/people.ts'

const whole = new Intl.NumberFormat('en-US')

/** A reader's four numbers, each distinct book counted once. */
export function ProfileStats({ profile }: { profile: Profile }) {
  return (
    <Panel className="mb-8">
      <StatList>
        <Stat label={t('avgRating')} value={profile.average_rating.toFixed(2)} />
        <Stat label={t('booksRead')} value={whole.format(profile.books_read)} />
        <Stat
          label={t('shelvesCreated')}
          value={whole.format(profile.shelves_count)}
          className="max-sm:hidden"
        />
        <Stat label={t('pagesRead')} value={whole.format(profile.pages_read)} />
      </StatList>
    </Panel>
  )
}
