import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import {
  progressFits,
  progressMessage,
  statusLabels,
  userBookFields,
  type UserBook,
} from '#shared/user-book.ts'
import type * as z from 'zod'
import { useApi } from '#web/api/context.ts'
import { errorMessage, fieldMessages } from '#web/api/errors.ts'
import { shelfNamesQuery } from '#web/api/library.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { RatingInput } from '#web/ui/rating.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { StatusIcon } from '#web/ui/status-badge.tsx'
import { toast } from '#web/ui/toast.tsx'
import { StatusChoice } from './status-choice.tsx'
import { useBookEdit, useBookRemoval } from './use-book-edit.ts'

const editForm = userBookFields
  .pick({ status: true, progress: true, page_count: true, rating: true, shelf: true })
  .refine(progressFits, { path: ['progress'], message: progressMessage })
type EditForm = z.infer<typeof editForm>

/** Status, page, rating and shelf of one book: a sheet on phones, a dialog on wide screens. */
export function BookEditor(props: {
  book: UserBook
  open: boolean
  onOpenChange: (open: boolean) => void
  onRemoved?: (() => void) | undefined
}) {
  const { book, open, onOpenChange, onRemoved } = props
  const formId = useId()
  const edit = useBookEdit(book.id)
  return (
    <Dialog
      title={<bdi>{book.title}</bdi>}
      description={book.authors.join(', ') || 'Where you are, and what you think of it.'}
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <>
          <RemoveButton book={book} onRemoved={onRemoved} />
          <Button type="submit" form={formId} variant="primary" pending={edit.isPending}>
            Save
          </Button>
        </>
      }
    >
      {open ? (
        <EditFields formId={formId} book={book} edit={edit} onSaved={() => onOpenChange(false)} />
      ) : null}
    </Dialog>
  )
}

function EditFields(props: {
  formId: string
  book: UserBook
  edit: ReturnType<typeof useBookEdit>
  onSaved: () => void
}) {
  const { formId, book, edit, onSaved } = props
  const { status, progress, page_count, rating, shelf } = book
  const form = useForm({
    resolver: zodResolver(editForm),
    defaultValues: { status, progress, page_count, rating, shelf },
  })
  const { errors } = form.formState
  const shelves = useQuery(shelfNamesQuery(useApi(), book.user))
  const pages = useWatch({ control: form.control, name: 'page_count' }) ?? 0

  async function save(values: EditForm): Promise<void> {
    try {
      await edit.mutateAsync(values)
      onSaved()
    } catch (error) {
      const messages = fieldMessages(error)
      for (const [name, message] of Object.entries(messages))
        form.setError(name as keyof EditForm, { message }, { shouldFocus: true })
      if (Object.keys(messages).length === 0) toast.error(errorMessage(error))
    }
  }

  return (
    <form
      id={formId}
      noValidate
      className="grid gap-5"
      onSubmit={(event) => void form.handleSubmit(save)(event)}
    >
      <Controller
        control={form.control}
        name="status"
        render={({ field }) => (
          <StatusChoice
            value={field.value}
            onValueChange={(next) => {
              field.onChange(next)
              // Finished means all of it was read.
              if (next === 'completed' && pages > 0) form.setValue('progress', pages)
            }}
          />
        )}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <NumberField
          label="Page"
          min={0}
          {...(pages > 0 ? { max: pages } : {})}
          unit={pages > 0 ? `of ${pages}` : undefined}
          error={errors.progress?.message}
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
        name="rating"
        render={({ field }) => (
          <div className="grid gap-1">
            <span className="text-sm font-medium">Rating</span>
            <RatingInput value={field.value ?? 0} onChange={field.onChange} />
          </div>
        )}
      />
      <SelectField
        label="Shelf"
        error={errors.shelf?.message}
        options={(shelves.data ?? [{ id: shelf, name: book.expand?.shelf?.name ?? '' }]).map(
          ({ id, name }) => ({ value: id, label: name }),
        )}
        {...form.register('shelf')}
      />
    </form>
  )
}

function RemoveButton({
  book,
  onRemoved,
}: {
  book: UserBook
  onRemoved: (() => void) | undefined
}) {
  const removal = useBookRemoval(book.id)
  async function remove(): Promise<void> {
    try {
      await removal.mutateAsync()
    } catch (error) {
      toast.error(errorMessage(error))
      throw error
    }
    toast.success(`Removed ${book.title}`)
    onRemoved?.()
  }
  return (
    <ConfirmDialog
      description={`This removes ${book.title} from the shelf. It cannot be recovered.`}
      confirmLabel="Remove book"
      onConfirm={remove}
      trigger={
        <Button variant="danger" icon={<Trash2 />} className="md:me-auto">
          Remove
        </Button>
      }
    />
  )
}

/**
 * The one button of a book: says where its reader is, and opens the rest. Beside it the commonest
 * next step of a book being read, to finish it, in one tap.
 */
export function BookButton({
  book,
  onRemoved,
}: {
  book: UserBook
  onRemoved?: (() => void) | undefined
}) {
  const [open, setOpen] = useState(false)
  const state = book.status === 'reading' ? `Page ${book.progress}` : statusLabels[book.status]
  return (
    <>
      <Button
        size="sm"
        icon={<StatusIcon status={book.status} />}
        aria-label={`${book.title}: ${statusLabels[book.status]}, page ${book.progress}. Edit`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {state}
      </Button>
      <BookEditor book={book} open={open} onOpenChange={setOpen} onRemoved={onRemoved} />
    </>
  )
}
