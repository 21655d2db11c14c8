import { somethingWrong } from '#web/api/errors.ts'
import { useLateDialog } from '#web/ui/late-dialog.ts'
import { toast } from '#web/ui/toast.tsx'

const loadEditor = async () => (await import('./book-editor.tsx')).BookEditor

/** The editor of a book, fetched when it is first wanted. */
export function useBookEditor() {
  const editor = useLateDialog(loadEditor, () => toast.error(somethingWrong))
  const onClick = () => {
    // An earlier message would lie over the sheet.
    toast.dismiss()
    editor.button.onClick()
  }
  return { ...editor, button: { ...editor.button, onClick } }
}
