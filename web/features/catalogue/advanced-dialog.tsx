import { useId } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import * as z from 'zod'
import { searchForm } from '#shared/search-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formResolver } from '#web/ui/form-resolver.ts'
import type { DialogState } from '#web/ui/lazy-dialog.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { blankFilters, filterFields, filterLabel, hasFilters } from './search-address.ts'
import { useSearch } from './use-search.ts'

const { title, author, publisher, genre, isbn } = searchForm.shape
const advancedForm = z.object({
  title,
  author,
  publisher,
  genre,
  isbn,
  advancedOnly: z.boolean(),
})
type AdvancedForm = z.output<typeof advancedForm>

/** Sets what narrows a search. */
export function AdvancedDialog({ open, onOpenChange }: DialogState) {
  const formId = useId()
  const { search, change } = useSearch()
  const form = useForm<z.input<typeof advancedForm>, unknown, AdvancedForm>({
    resolver: formResolver(advancedForm),
    values: { ...search.filters, advancedOnly: search.advancedOnly },
  })
  const { errors } = form.formState
  const isOnly = useWatch({ control: form.control, name: 'advancedOnly' })

  function apply({ advancedOnly, ...filters }: AdvancedForm): void {
    if (advancedOnly && !hasFilters(filters)) {
      form.setError('root', { message: t('nothingAsked') })
      form.setFocus('title')
      return
    }
    onOpenChange(false)
    change({ filters, advancedOnly })
  }

  return (
    <Dialog
      title={t('advancedSearch')}
      description={t('fillInWhatYouKnow')}
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <>
          <Button onClick={() => form.reset({ ...blankFilters, advancedOnly: false })}>
            {t('reset')}
          </Button>
          <Button type="submit" form={formId} variant="primary">
            {isOnly ? t('applyAndSearch') : t('apply')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid grid-cols-2 gap-x-4 gap-y-3"
        onSubmit={(event) => void form.handleSubmit(apply)(event)}
      >
        {errors.root?.message ? (
          <ErrorState
            className="col-span-2 mb-4"
            title={t('inputError')}
            messages={[errors.root.message]}
          />
        ) : null}
        {filterFields.map((field) => (
          <TextField
            key={field}
            className={classNames(!['publisher', 'genre'].includes(field) && 'max-md:col-span-2')}
            label={filterLabel(field)}
            autoComplete="off"
            hint={field === 'isbn' ? t('isbnHint') : undefined}
            error={errors[field]?.message}
            {...form.register(field)}
          />
        ))}
        <Controller
          control={form.control}
          name="advancedOnly"
          render={({ field }) => (
            <Checkbox
              className="max-md:col-span-2 md:self-center"
              label={t('useOnlyAdvancedFilters')}
              hint={t('theSearchBoxIsIgnored')}
              checked={field.value}
              onCheckedChange={field.onChange}
            />
          )}
        />
      </form>
    </Dialog>
  )
}
