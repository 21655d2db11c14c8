import { bookSorts } from '#shared/book-filter.ts'
import { t } from '#web/i18n/books.ts'

/** The orders of a list of books, for a select. */
export const sortOptions = () => bookSorts.map((value) => ({ value, label: t(`sort.${value}`) }))
