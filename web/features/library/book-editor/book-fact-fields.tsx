import { t } from '#web/i18n/library.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { BookForm } from './book-form.ts'
import { languageOptions } from './language-options.ts'

/**
 * Series, date and language of a book.
 *
 * @param props.language as it is stored; it can be chosen, whatever it is
 */
export function BookFactFields({ form, language }: { form: BookForm; language: string }) {
  const { errors } = form.formState
  return (
    <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
      <TextField
        label={t('series')}
        autoComplete="off"
        error={errors.series?.message}
        {...form.register('series')}
      />
      <TextField
        label={t('seriesPosition')}
        autoComplete="off"
        error={errors.series_position?.message}
        {...form.register('series_position')}
      />
      <TextField
        label={t('published')}
        autoComplete="off"
        hint={t('publishedHint')}
        error={errors.published?.message}
        {...form.register('published')}
      />
      <SelectField
        label={t('language')}
        placeholder={t('unknown')}
        options={languageOptions(language)}
        error={errors.language?.message}
        {...form.register('language')}
      />
    </div>
  )
}
