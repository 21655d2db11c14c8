import { Chip } from '#web/ui/chip.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { rich, t } from '#web/i18n/catalogue.ts'
import { blankFilters, filterFields, filterLabel } from './search-address.ts'
import { useSearch } from './use-search.ts'

/** The active filters, each with a button to remove it, and the order. */
export function ActiveFilters() {
  const { search, change } = useSearch()
  const { filters, by, order, mode } = search
  const used = filterFields.filter((field) => filters[field])
  return (
    <div className="-mt-2 mb-6 flex flex-wrap items-center justify-between gap-3 md:-mt-4">
      <h2 className="sr-only">{t('results')}</h2>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        {search.q && !search.advancedOnly ? (
          <>
            <Chip
              pressed={by === '2'}
              onPress={() => change({ by: by === '2' ? '1' : '2', mode: 'auto' })}
            >
              {t('exactPhrase')}
            </Chip>
            <Chip
              pressed={mode === 'describe'}
              onPress={() => change({ mode: mode === 'describe' ? 'words' : 'describe', by: '1' })}
            >
              {t('describeABook')}
            </Chip>
          </>
        ) : null}
        {used.map((field) => (
          <Chip
            key={field}
            removeLabel={t('removeFilter', { name: filterLabel(field) })}
            onRemove={() => change({ filters: { ...filters, [field]: '' } })}
          >
            {rich('filterIs', {
              name: filterLabel(field),
              value: <bdi>{filters[field]}</bdi>,
            })}
          </Chip>
        ))}
        {used.length > 1 ? (
          <Chip pressed={false} onPress={() => change({ filters: blankFilters })}>
            {t('clearAllFilters')}
          </Chip>
        ) : null}
      </div>
      <SegmentedControl
        label={t('order')}
        value={order}
        onValueChange={(next) => change({ order: next })}
        options={[
          { value: 'relevance', label: t('relevance') },
          { value: 'newest', label: t('newest') },
        ]}
      />
    </div>
  )
}
