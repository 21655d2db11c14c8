import { typedFilters, type BookFilter } from '#shared/book-filter.ts'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { FilterInputs } from './filter-inputs.tsx'

/** The filters whose text is typed, as a form that needs no scripts. */
export default function TypedFilters({ filter }: { filter: BookFilter }) {
  const others = { ...filter, title: '', author: '', genre: '', isbn: '' }
  return (
    <form className="grid gap-2 text-ink sm:grid-cols-2">
      <FilterInputs filter={others} />
      {typedFilters.map((name) => (
        <TextField
          key={name}
          name={name}
          label={t(`filter.${name}`)}
          defaultValue={filter[name]}
          maxLength={255}
        />
      ))}
      <Button type="submit">{t('apply')}</Button>
    </form>
  )
}
