import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import {
  shelfForm,
  visibilities,
  type Bookshelf,
  type ShelfForm as ShelfFields,
} from '#shared/bookshelf.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, fieldMessages } from '#web/api/errors.ts'
import { createShelf, refreshLibrary } from '#web/api/library.ts'
import { updateShelf } from '#web/api/shelf.ts'
import { t } from '#web/i18n/library.ts'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formResolver } from '#web/ui/form-resolver.ts'
import { useSingleFlight } from '#web/ui/single-flight.ts'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { SubmitFooter } from '#web/ui/submit-footer.tsx'

type ShelfToEdit = Pick<Bookshelf, 'id' | 'name' | 'visibility'>

/** Creates a shelf, or saves one's name and visibility; the lists of shelves follow. */
export function useShelfSave(shelf?: ShelfToEdit) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ change, all }: { change: Partial<ShelfFields>; all: ShelfFields }) =>
      shelf ? updateShelf(api, shelf.id, change) : createShelf(api, all),
    onSuccess: () => refreshLibrary(queries),
  })
}

/**
 * Name and visibility of a shelf. The button that sends it stands outside, with `form={formId}`,
 * and shows `save.isPending`.
 */
export function ShelfForm(props: {
  formId: string
  save: ReturnType<typeof useShelfSave>
  /** Leave out for a new one. */
  shelf?: ShelfToEdit | undefined
  /** With null when there was nothing to change. */
  onSaved: (saved: Bookshelf | null) => void
}) {
  const { formId, save, onSaved } = props
  // As it was when the form was opened: what is changed elsewhere meanwhile stays.
  const [shelf] = useState(props.shelf)
  const form = useForm<ShelfFields>({
    resolver: formResolver(shelfForm),
    defaultValues: { name: shelf?.name ?? '', visibility: shelf?.visibility ?? 'public' },
  })
  const { errors } = form.formState
  const { setFocus } = form
  useEffect(() => setFocus('name'), [setFocus])

  const submit = useSingleFlight(async (fields: ShelfFields) => {
    const { name, visibility } = fields
    const change = {
      ...(name !== shelf?.name && { name }),
      ...(visibility !== shelf?.visibility && { visibility }),
    }
    if (Object.keys(change).length === 0) return onSaved(null)
    try {
      onSaved(await save.mutateAsync({ change, all: fields }))
    } catch (error) {
      const wrong = fieldMessages(error)
      if (wrong['visibility']) form.setError('visibility', { message: wrong['visibility'] })
      if (wrong['name']) form.setError('name', { message: wrong['name'] }, { shouldFocus: true })
      if (!wrong['name'] && !wrong['visibility'])
        form.setError('root', { message: errorMessage(error) })
    }
  })

  return (
    <form
      id={formId}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        // The form may stand inside another one in React's tree, if not in the document's.
        event.stopPropagation()
        void form.handleSubmit(submit)(event)
      }}
    >
      {errors.root?.message ? (
        <ErrorState title={t('inputError')} message={errors.root.message} />
      ) : null}
      <TextField
        label={t('name')}
        autoComplete="off"
        hint={t('shelfNameHint')}
        error={errors.name?.message}
        {...form.register('name')}
      />
      <Controller
        control={form.control}
        name="visibility"
        render={({ field }) => (
          <div className="grid gap-1.5">
            <RadioGroup
              label={t('visibility')}
              options={visibilities.map((value) => ({
                value,
                label: t(`visibility.${value}`),
                hint: t(`visibilityHint.${value}`),
              }))}
              value={field.value}
              onValueChange={field.onChange}
            />
            <p aria-live="polite" className="text-sm font-medium text-danger">
              {errors.visibility?.message}
            </p>
          </div>
        )}
      />
    </form>
  )
}

/** The form in a dialog: 'New Shelf', or 'Edit shelf' for one that is there. */
export function ShelfDialog(props: {
  shelf?: ShelfToEdit | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
  /** After the toast. */
  onSaved?: ((saved: Bookshelf) => void) | undefined
}) {
  const { shelf, open, onOpenChange, onSaved } = props
  const formId = useId()
  const save = useShelfSave(shelf)

  function close(saved: Bookshelf | null): void {
    onOpenChange(false)
    if (!saved) return
    toast.success(
      shelf ? t('savedNamed', { name: saved.name }) : t('createdNamed', { name: saved.name }),
    )
    onSaved?.(saved)
  }

  return (
    <Dialog
      size="sm"
      title={shelf ? t('editShelf') : t('newShelf')}
      description={t('shelfFormHint')}
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <SubmitFooter formId={formId} pending={save.isPending}>
          {shelf ? t('save') : t('createShelf')}
        </SubmitFooter>
      }
    >
      <ShelfForm formId={formId} save={save} shelf={shelf} onSaved={close} />
    </Dialog>
  )
}
