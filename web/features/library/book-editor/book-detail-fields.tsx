import { Controller } from 'react-hook-form'
import { numberOf } from '#shared/digits.ts'
import { hasWrongDigit } from '#shared/isbn.ts'
import { joinNames, parseNames } from '#shared/name-list.ts'
import { t } from '#web/i18n/library.ts'
import { ChipsField } from '#web/ui/chips-field.tsx'
import { asNumber, NumberField } from '#web/ui/number-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { BookForm } from './book-form.ts'

/** Fields printed in a book: title, authors, genres, length, ISBN. */
export function BookDetailFields(props: {
  form: BookForm
  /** Leaves out the length, for forms that ask for it elsewhere. */
  hideLength?: boolean
}) {
  const { form, hideLength = false } = props
  const { errors } = form.formState
  const chips = (name: 'authors' | 'genres', label: string) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <ChipsField
          label={label}
          hint={t('severalWithCommas')}
          split={parseNames}
          join={joinNames}
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
        error={errors.title?.message}
        {...form.register('title')}
      />
      {chips('authors', t('authors'))}
      {chips('genres', t('genres'))}
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        {hideLength ? null : <LengthField form={form} />}
        <TextField
          label={t('isbn')}
          autoComplete="off"
          spellCheck={false}
          hint={hintOf(form.watch('isbn'))}
          error={errors.isbn?.message}
          {...form.register('isbn')}
        />
      </div>
    </>
  )
}

/** Some books are printed with a wrong number, so it can be saved. */
const hintOf = (isbn = '') => (hasWrongDigit(isbn) ? t('oneDigitIsWrong') : t('isbnHint'))

export function LengthField({ form }: { form: BookForm }) {
  return (
    <NumberField
      label={t('totalPages')}
      min={0}
      hint={t('totalPagesHint')}
      error={form.formState.errors.page_count?.message}
      {...form.register('page_count', {
        ...asNumber,
        // A finished book was read to its last page, wherever that turns out to be.
        onChange: (event: { target: { value: string } }) => {
          const pages = numberOf(event.target.value)
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
