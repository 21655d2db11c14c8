import type { ComponentType } from 'react'
import { somethingWrong } from '#web/api/errors.ts'
import { useLateDialog, type DialogState } from '#web/ui/late-dialog.ts'
import { fetchToast } from './undo.ts'

const loadForm = async () => (await import('./shelf-form.tsx')).ShelfDialog
const loadQuestion = async () => (await import('./delete-shelf-dialog.tsx')).DeleteShelfDialog

/** The dialog of a new shelf or of one to edit, fetched when it is first wanted. */
export const useShelfDialog = () => useFetched(loadForm)

/** The question before a shelf is deleted, fetched when it is first wanted. */
export const useDeleteShelfDialog = () => useFetched(loadQuestion)

function useFetched<Props extends DialogState>(load: () => Promise<ComponentType<Props>>) {
  const dialog = useLateDialog(
    load,
    () => void fetchToast().then((toast) => toast.error(somethingWrong)),
  )
  const onClick = () => {
    // An earlier message would lie over the sheet.
    void fetchToast().then((toast) => toast.dismiss())
    dialog.button.onClick()
  }
  return { ...dialog, button: { ...dialog.button, onClick } }
}
