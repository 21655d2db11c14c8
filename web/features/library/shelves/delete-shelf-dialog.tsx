import { useQueryClient } from '@tanstack/react-query'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { trashDays } from '#shared/trash.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { refreshLibrary } from '#web/api/library.ts'
import { deleteShelf } from '#web/api/shelf.ts'
import { rich, t } from '#web/i18n/library.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useRemovalToast } from '../trash/undo.ts'

export function DeleteShelfDialog(props: {
  shelf: Bookshelf
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Told before it is asked for, and again when it was refused: the page's shelf is going. */
  onDeleting: (deleting: boolean) => void
  /** Leaves the page of the shelf. */
  onDeleted: () => void | Promise<void>
}) {
  const { shelf, open, onOpenChange, onDeleting, onDeleted } = props
  const api = useApi()
  const queries = useQueryClient()
  const tell = useRemovalToast()
  async function remove(): Promise<void> {
    onDeleting(true)
    try {
      await deleteShelf(api, shelf.id)
    } catch (error) {
      onDeleting(false)
      toast.error(errorMessage(error))
      throw error
    }
    tell(t('deletedNamed', { name: shelf.name }), 'bookshelves', [shelf.id])
    refreshLibrary(queries, 'none')
    await onDeleted()
  }
  return (
    <ConfirmDialog
      description={
        <span className="wrap-anywhere">
          {rich('removalOfShelf', {
            name: <bdi key="name">{shelf.name}</bdi>,
            note: t('removalNote', { days: trashDays }),
          })}
        </span>
      }
      confirmLabel={t('deleteShelf')}
      open={open}
      onOpenChange={onOpenChange}
      onConfirm={remove}
    />
  )
}
