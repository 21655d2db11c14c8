import { opinions, noFilter, typedFilters, type BookFilter } from '#shared/book-filter.ts'
import { formats } from '#shared/reading.ts'
import { t as books } from '#web/i18n/books.ts'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { languageOptions } from '../book-editor/language-options.ts'
import { sortOptions } from '../book-list/sort-options.ts'
import { FilterInputs } from './filter-inputs.tsx'

/** The filters that can be typed or chosen, and the order, as a form that needs no scripts. */
export default function PlainFilters({ filter }: { filter: BookFilter }) {
  const { status, shelves, tag, progress, rating } = filter
  return (
    <form className="grid gap-2 text-ink sm:grid-cols-2">
      <FilterInputs filter={{ ...noFilter, status, shelves, tag, progress, rating }} />
      {typedFilters.map((name) => (
        <TextField
          key={name}
          name={name}
          label={t(`filter.${name}`)}
          defaultValue={filter[name]}
          maxLength={255}
        />
      ))}
      <SelectField
        name="language"
        label={t('language')}
        placeholder={t('anyLanguage')}
        options={languageOptions(filter.language)}
        defaultValue={filter.language}
      />
      <SelectField
        name="format"
        label={t('format')}
        placeholder={t('anyFormat')}
        options={formats.map((value) => ({ value, label: t(`format.${value}`) }))}
        defaultValue={filter.format}
      />
      <TextField
        name="read"
        label={t('yearRead')}
        defaultValue={filter.read}
        maxLength={4}
        inputMode="numeric"
      />
      <SelectField
        name="sort"
        label={books('sort')}
        options={sortOptions()}
        defaultValue={filter.sort}
      />
      <fieldset className="flex flex-wrap gap-x-6 sm:col-span-2">
        <legend className="text-sm font-medium">{t('without')}</legend>
        {opinions.map((opinion) => (
          <label key={opinion} className="flex min-h-11 items-center gap-2 text-sm">
            <input
              type="checkbox"
              name="without"
              value={opinion}
              defaultChecked={filter.without.includes(opinion)}
            />
            {t(`without.${opinion}`)}
          </label>
        ))}
      </fieldset>
      <Button type="submit">{t('apply')}</Button>
    </form>
  )
}
