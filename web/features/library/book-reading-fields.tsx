import { Controller, useWatch, type Control } from 'react-hook-form'
import { progressPercent } from '#shared/user-book.ts'
import { NumberField } from '#web/ui/number-field.tsx'
import { Rating, RatingInput } from '#web/ui/rating.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { BookForm, BookInput, BookValues } from './book-form.ts'
import { StatusChoice } from './status-choice.tsx'

type BookControl = Control<BookInput, unknown, BookValues>

/** Where the reader is in a book and what they think of it: page, status, rating. */
export function BookReadingFields({
  form,
  ratingHint,
  readOnly = false,
}: {
  form: BookForm
  ratingHint?: string
  readOnly?: boolean
}) {
  const { errors } = form.formState
  return (
    <>
      <PageField form={form} readOnly={readOnly} />
      <Controller
        control={form.control}
        name="status"
        render={({ field }) =>
          readOnly ? (
            <Fact label="Status">
              <StatusBadge status={field.value} />
            </Fact>
          ) : (
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
          )
        }
      />
      <Controller
        control={form.control}
        name="rating"
        render={({ field }) =>
          readOnly ? (
            <Fact label="Rating">
              <Rating value={field.value ?? 0} showNumber />
            </Fact>
          ) : (
            <div className="grid gap-1">
              <span aria-hidden className="text-sm font-medium">
                Rating
              </span>
              <RatingInput value={field.value ?? 0} onChange={field.onChange} />
              {ratingHint ? <p className="text-sm text-ink-soft">{ratingHint}</p> : null}
              <FieldError message={errors.rating?.message} />
            </div>
          )
        }
      />
    </>
  )
}

function PageField({ form, readOnly }: { form: BookForm; readOnly: boolean }) {
  const pages = useWatch({ control: form.control, name: 'page_count' }) ?? 0
  return (
    <NumberField
      label="Page"
      min={0}
      // A length of 0 is unknown, and then bounds nothing.
      {...(pages > 0 ? { max: pages } : {})}
      readOnly={readOnly}
      error={form.formState.errors.progress?.message}
      unit={<PageUnit control={form.control} />}
      {...form.register('progress', { valueAsNumber: true })}
    />
  )
}

/** "of 320 · 18%", as typed so far. */
function PageUnit({ control }: { control: BookControl }) {
  const [page = 0, pages = 0] = useWatch({ control, name: ['progress', 'page_count'] })
  if (!(pages > 0)) return null
  const percent = Math.round(progressPercent(page, pages)) || 0
  return <span className="whitespace-nowrap">{`of ${pages} · ${percent}%`}</span>
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="grid justify-items-start gap-1.5">
      <span className="text-sm font-medium">{label}</span>
      {children}
    </div>
  )
}

function FieldError({ message }: { message: string | undefined }) {
  return (
    <p aria-live="polite" className="text-sm font-medium text-rubric empty:hidden">
      {message}
    </p>
  )
}
