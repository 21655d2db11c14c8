import { SlidersHorizontal } from 'lucide-react'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { t } from '#web/i18n/catalogue.ts'
import { filterFields } from './search-address.ts'
import { useSearch } from './use-search.ts'

const loadDialog = async () => (await import('./advanced-dialog.tsx')).AdvancedDialog

/** The button that shows the number of active filters and opens their dialog. */
export function AdvancedSearch() {
  const { search } = useSearch()
  const { Dialog, round, state, button } = useLazyDialog(loadDialog)
  const count = filterFields.filter((field) => search.filters[field]).length
  return (
    <>
      <Button size="lg" className="max-h-11 min-h-11! px-4 text-sm" {...button}>
        <SlidersHorizontal aria-hidden className="size-5 md:size-4" />
        <span className="max-md:sr-only">{t('advancedSearch')}</span>
        {count > 0 ? (
          <Badge tone="rubric">
            {count}
            <span className="sr-only"> {t('inUse')}</span>
          </Badge>
        ) : null}
      </Button>
      {Dialog ? <Dialog key={round} {...state} /> : null}
    </>
  )
}
