import { useQueryClient } from '@tanstack/react-query'
import type { Bookshelf } from '#shared/bookshelf.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { deleteShelf } from '#web/api/library.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'

export function DeleteShelfDialog(props: {
  shelf: Bookshelf
  open: boolean
  onOpenChange: (open: boolean) => void
  onDeleted: () => void
}) {
  const { shelf, open, onOpenChange, onDeleted } = props
  const api = useApi()
  const queries = useQueryClient()
  async function remove(): Promise<void> {
    try {
      await deleteShelf(api, shelf.id)
    } catch (error) {
      toast.error(errorMessage(error))
      throw error
    }
    toast.success(`Deleted ${shelf.name}`)
    onDeleted()
    for (const key of ['books', 'shelves', 'profile', 'activities'])
      void queries.invalidateQueries({ queryKey: [key] })
  }
  return (
    <ConfirmDialog
      description={`This removes the shelf ${shelf.name} and all its books. It cannot be recovered.`}
      confirmLabel="Delete shelf"
      open={open}
      onOpenChange={onOpenChange}
      onConfirm={remove}
    />
  )
}
