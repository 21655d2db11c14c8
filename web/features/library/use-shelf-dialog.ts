import { somethingWrong } from '#web/api/errors.ts'
import { useLateDialog } from '#web/ui/late-dialog.ts'
import { toast } from '#web/ui/toast.tsx'

const loadForm = async () => (await import('./shelf-form.tsx')).ShelfDialog

/** The dialog of a new shelf or of one to edit, fetched when it is first wanted. */
export function useShelfDialog() {
  const dialog = useLateDialog(loadForm, () => toast.error(somethingWrong))
  const onClick = () => {
    // An earlier message would lie over the sheet.
    toast.dismiss()
    dialog.button.onClick()
  }
  return { ...dialog, button: { ...dialog.button, onClick } }
}
