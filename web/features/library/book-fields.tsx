import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Controller, useForm, useWatch, type Control } from 'react-hook-form'
import type * as z from 'zod'
import { progressFits, progressMessage, userBookFields } from '#shared/user-book-form.ts'
import { progressPercent, type UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, fieldMessages } from '#web/api/errors.ts'
import { shelfNamesQuery } from '#web/api/library.ts'
import { NumberField } from '#web/ui/number-field.tsx'
import { RatingInput } from '#web/ui/rating.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { StatusChoice } from './status-choice.tsx'
import type { useBookEdit } from './use-book-edit.ts'

const editForm = userBookFields
  .pick({ status: true, progress: true, page_count: true, rating: true, shelf: true })
  .refine(progressFits, { path: ['progress'], message: progressMessage })
type EditInput = z.input<typeof editForm>
type Edit = z.output<typeof editForm>

/** The editor's form. What the server refuses stays typed, with its sentence at the field. */
export function BookFields(props: {
  formId: string
  book: UserBook
  edit: ReturnType<typeof useBookEdit>
  onSaved: () => void
}) {
  const { formId, book, edit, onSaved } = props
  const { status, progress, page_count, rating, shelf } = book
  const form = useForm<EditInput, unknown, Edit>({
    resolver: zodResolver(editForm),
    defaultValues: { status, progress, page_count, rating, shelf },
  })
  const { errors } = form.formState
  const { setFocus, setValue } = form
  // The page is what changes most while a book is read.
  useEffect(() => {
    if (status === 'reading') setFocus('progress', { shouldSelect: true })
  }, [setFocus, status])

  async function save(values: Edit): Promise<void> {
    if (edit.isPending) return
    try {
      await edit.mutateAsync(values)
      onSaved()
    } catch (error) {
      showRefusal(error)
    }
  }

  function showRefusal(error: unknown): void {
    // The shelf it should move to has the book already: that is the shelf's to say.
    const { isbn, ...messages } = fieldMessages(error)
    if (isbn) messages['shelf'] ??= isbn
    let known = false
    for (const [name, message] of Object.entries(messages)) {
      if (!(name in editForm.shape)) continue
      form.setError(name as keyof EditInput, { message }, { shouldFocus: !known })
      known = true
    }
    if (!known) toast.error(errorMessage(error))
  }

  return (
    <form
      id={formId}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        // The editor stands inside other forms in React's tree, if not in the document's.
        event.stopPropagation()
        void form.handleSubmit(save)(event)
      }}
    >
      <div className={page_count === 0 ? 'grid gap-x-5 gap-y-4 sm:grid-cols-2' : 'grid'}>
        <NumberField
          label="Page"
          min={0}
          error={errors.progress?.message}
          {...pageLimit(page_count)}
          unit={<PageUnit control={form.control} />}
          {...form.register('progress', { valueAsNumber: true })}
        />
        {page_count === 0 ? (
          <NumberField
            label="Pages in all"
            min={0}
            hint="0 when you do not know."
            error={errors.page_count?.message}
            {...form.register('page_count', { valueAsNumber: true })}
          />
        ) : null}
      </div>
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
                setValue('progress', pages, { shouldValidate: form.formState.isSubmitted })
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
              Rating
            </span>
            <RatingInput value={field.value ?? 0} onChange={field.onChange} />
            <FieldError message={errors.rating?.message} />
          </div>
        )}
      />
      <ShelfField book={book} error={errors.shelf?.message} {...form.register('shelf')} />
    </form>
  )
}

/** A length of 0 is unknown, and then bounds nothing. */
function pageLimit(pages: number): { max?: number } {
  return pages > 0 ? { max: pages } : {}
}

/** "of 320 · 18%", as typed so far. */
function PageUnit({ control }: { control: Control<EditInput, unknown, Edit> }) {
  const [page = 0, pages = 0] = useWatch({ control, name: ['progress', 'page_count'] })
  if (!(pages > 0)) return null
  const percent = Math.round(progressPercent(page, pages)) || 0
  return <span className="whitespace-nowrap">{`of ${pages} · ${percent}%`}</span>
}

function ShelfField(
  props: Omit<React.ComponentProps<typeof SelectField>, 'label' | 'options'> & { book: UserBook },
) {
  const { book, ...field } = props
  const { data } = useQuery(shelfNamesQuery(useApi(), book.user))
  const shelves = data ?? [{ id: book.shelf, name: book.expand?.shelf?.name ?? '' }]
  return (
    <SelectField
      // The list is uncontrolled: its options must be there when it takes its value.
      key={data ? 'all' : 'own'}
      label="Shelf"
      options={shelves.map(({ id, name }) => ({ value: id, label: name }))}
      {...field}
    />
  )
}

export function FieldError({ message }: { message: string | undefined }) {
  return (
    <p aria-live="polite" className="text-sm font-medium text-rubric empty:hidden">
      {message}
    </p>
  )
}
