import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { unknownPart } from '#shared/statistics.ts'
import { useApi } from '#web/api/context.ts'
import { useProfile } from '#web/api/profile.ts'
import { statisticsQuery } from '#web/api/statistics.ts'
import { NavTab, NavTabs } from '#web/ui/nav-tabs.tsx'
import { t } from '#web/i18n/year.ts'

/** Links to the years in which a reader finished a book, the latest first. */
export function YearRail({ year = '', className }: { year?: string; className?: string }) {
  const { profile } = useProfile()
  const { data } = useQuery(statisticsQuery(useApi(), profile.username))
  const known = data?.figures.find(({ id }) => id === 'by_year')?.parts ?? []
  const years = new Set(known.map(({ key }) => key).filter((key) => key !== unknownPart))
  if (year) years.add(year)
  if (years.size === 0) return null
  return (
    <NavTabs label={t('years')} className={className}>
      {[...years]
        .toSorted()
        .toReversed()
        .map((one) => (
          <NavTab key={one} current={one === year}>
            <Link to={`/u/${profile.username}/${one}`}>{one}</Link>
          </NavTab>
        ))}
    </NavTabs>
  )
}
