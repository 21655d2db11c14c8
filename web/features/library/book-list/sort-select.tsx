import { ArrowDownWideNarrow } from 'lucide-react'
import type { BookSort } from '#shared/book-filter.ts'
import { t } from '#web/i18n/books.ts'
import { IconSelect } from '#web/ui/icon-select.tsx'
import { sortOptions } from './sort-options.ts'

/** The order of a list of books. */
export function SortSelect(props: { value: BookSort; onValueChange: (sort: BookSort) => void }) {
  return (
    <IconSelect
      label={t('sort')}
      icon={<ArrowDownWideNarrow aria-hidden />}
      options={sortOptions()}
      className="md:px-3"
      {...props}
    />
  )
}
