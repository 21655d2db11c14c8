import { LibraryBig, UserRound, type LucideIcon } from 'lucide-react'
import { Link } from 'react-router'
import type { SearchResult } from '#shared/book.ts'
import { authorPath, seriesPath } from '#shared/series.ts'
import { t } from '#web/i18n/works.ts'
import { Chip } from '#web/ui/chip.tsx'

/** The series and authors that a search names, as links; nothing if there are none. */
export default function NamesFound({ found }: { found: Pick<SearchResult, 'series' | 'authors'> }) {
  const { series = [], authors = [] } = found
  if (series.length + authors.length === 0) return null
  return (
    <ul aria-label={t('seriesAndAuthors')} className="mb-6 flex flex-wrap gap-2">
      {series.map((one) => (
        <NameChip
          key={`series ${one.id}`}
          path={seriesPath(one)}
          name={one.name}
          kind={t('series')}
          icon={LibraryBig}
        />
      ))}
      {authors.map((one) => (
        <NameChip
          key={`author ${one.id}`}
          path={authorPath(one)}
          name={one.name}
          kind={t('author')}
          icon={UserRound}
        />
      ))}
    </ul>
  )
}

function NameChip(props: { path: string; name: string; kind: string; icon: LucideIcon }) {
  const { path, name, kind, icon: Icon } = props
  return (
    <li>
      <Chip asChild>
        <Link to={path}>
          <Icon aria-hidden className="size-4" />
          <span>{kind}</span>
          <bdi className="font-medium text-ink wrap-anywhere">{name}</bdi>
        </Link>
      </Chip>
    </li>
  )
}
