import { Controller } from 'react-hook-form'
import { joinNames, parseNames } from '#shared/name-list.ts'
import { t } from '#web/i18n/library.ts'
import { ChipsField } from '#web/ui/chips-field.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { BookForm } from './book-form.ts'

/** What is printed in a book: title, authors, genres, length, ISBN. */
export function BookDetailFields(props: {
  form: BookForm
  /** Where the length is asked for elsewhere. */
  hideLength?: boolean
  readOnly?: boolean
}) {
  const { form, hideLength = false, readOnly = false } = props
  const { errors } = form.formState
  const chips = (name: 'authors' | 'genres', label: string) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <ChipsField
          label={label}
          hint={readOnly ? undefined : t('severalWithCommas')}
          split={parseNames}
          join={joinNames}
          readOnly={readOnly}
          error={messageOf(errors[name])}
          value={field.value ?? []}
          onChange={field.onChange}
          onBlur={field.onBlur}
        />
      )}
    />
  )
  return (
    <>
      <TextField
        label={t('title')}
        autoComplete="off"
        readOnly={readOnly}
        error={errors.title?.message}
        {...form.register('title')}
      />
      {chips('authors', t('authors'))}
      {chips('genres', t('genres'))}
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        {hideLength ? null : <LengthField form={form} readOnly={readOnly} />}
        <TextField
          label={t('isbn')}
          autoComplete="off"
          spellCheck={false}
          readOnly={readOnly}
          hint={readOnly ? undefined : t('isbnHint')}
          error={errors.isbn?.message}
          {...form.register('isbn')}
        />
      </div>
    </>
  )
}

export function LengthField({ form, readOnly = false }: { form: BookForm; readOnly?: boolean }) {
  return (
    <NumberField
      label={t('totalPages')}
      min={0}
      readOnly={readOnly}
      hint={readOnly ? undefined : t('totalPagesHint')}
      error={form.formState.errors.page_count?.message}
      {...form.register('page_count', {
        valueAsNumber: true,
        // A finished book was read to its last page, wherever that turns out to be.
        onChange: (event: { target: { value: string } }) => {
          const pages = Number(event.target.value)
          if (pages > 0 && form.getValues('status') === 'completed')
            form.setValue('progress', pages, { shouldValidate: form.formState.isSubmitted })
        },
      })}
    />
  )
}

/** A list's error is its own, or that of its first wrong entry. */
function messageOf(error: unknown): string | undefined {
  if (!error || typeof error !== 'object') return undefined
  if ('message' in error && typeof error.message === 'string') return error.message
  return Object.values(error).map(messageOf).find(Boolean)
}
