import { useState } from 'react'
import { Controller, useWatch, type Control } from 'react-hook-form'
import { numberOf } from '#shared/digits.ts'
import { pageAt, progressPercent } from '#shared/reading-position.ts'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { asNumber, NumberField } from '#web/ui/number-field.tsx'
import { RatingInput } from '#web/ui/rating-input.tsx'
import type { BookForm, BookInput, BookValues } from './book-form.ts'
import { StatusChoice } from './status-choice.tsx'
import { FieldError } from '#web/ui/field.tsx'

type BookControl = Control<BookInput, unknown, BookValues>

/** Page, status and rating. */
export function BookReadingFields({ form, ratingHint }: { form: BookForm; ratingHint?: string }) {
  const { errors } = form.formState
  return (
    <>
      <PageField form={form} />
      <Controller
        control={form.control}
        name="status"
        render={({ field }) => (
          <StatusChoice
            value={field.value}
            error={errors.status?.message}
            onValueChange={(next) => {
              field.onChange(next)
              const pages = form.getValues('page_count') ?? 0
              // Finished means all of it was read.
              if (next === 'completed' && pages > 0)
                form.setValue('progress', pages, { shouldValidate: form.formState.isSubmitted })
            }}
          />
        )}
      />
      <Controller
        control={form.control}
        name="rating"
        render={({ field }) => (
          <div className="grid gap-1">
            <span aria-hidden className="text-sm font-medium">
              {t('rating')}
            </span>
            <RatingInput value={field.value ?? 0} onChange={field.onChange} />
            {ratingHint ? <p className="text-sm text-ink-soft">{ratingHint}</p> : null}
            <FieldError message={errors.rating?.message} />
          </div>
        )}
      />
    </>
  )
}

/** How far the reader is, by page or by percent: in whichever of the two was entered last. */
function PageField({ form }: { form: BookForm }) {
  const pages = useWatch({ control: form.control, name: 'page_count' }) ?? 0
  const [inPercent, setInPercent] = useState((form.getValues('progress_percent') ?? 0) > 0)
  const { errors } = form.formState

  function turn(): void {
    const { progress = 0, progress_percent = 0 } = form.getValues()
    if (inPercent) {
      if (pages > 0) form.setValue('progress', pageAt(progress_percent, pages) || 0)
      form.setValue('progress_percent', 0)
    } else form.setValue('progress_percent', Math.round(progressPercent(progress, pages)) || 0)
    form.clearErrors(['progress', 'progress_percent'])
    setInPercent(!inPercent)
  }

  const aside = (
    <Button size="sm" variant="quiet" className="-my-2 -me-3" onClick={turn}>
      {inPercent ? t('enterAPage') : t('enterPercent')}
    </Button>
  )
  if (inPercent)
    return (
      <NumberField
        key="percent"
        label={t('percent')}
        min={0}
        max={100}
        aside={aside}
        error={errors.progress_percent?.message}
        unit="%"
        {...form.register('progress_percent', {
          ...asNumber,
          // Zero percent also resets the page.
          onChange: (event: { target: { value: string } }) => {
            if (numberOf(event.target.value) === 0) form.setValue('progress', 0)
          },
        })}
      />
    )
  return (
    <NumberField
      key="page"
      label={t('page')}
      min={0}
      // A length of 0 is unknown, and then bounds nothing.
      {...(pages > 0 ? { max: pages } : {})}
      aside={aside}
      error={errors.progress?.message}
      unit={<PageUnit control={form.control} />}
      {...form.register('progress', asNumber)}
    />
  )
}

/** "of 320 · 18%", as typed so far. */
function PageUnit({ control }: { control: BookControl }) {
  const [page = 0, pages = 0] = useWatch({ control, name: ['progress', 'page_count'] })
  if (!(pages > 0)) return null
  const percent = Math.round(progressPercent(page, pages)) || 0
  return <span className="whitespace-nowrap">{t('ofPages', { pages, percent })}</span>
}
