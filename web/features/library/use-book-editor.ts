import { somethingWrong } from '#web/api/errors.ts'
import { useLateDialog } from '#web/ui/late-dialog.ts'
import { fetchToast } from './undo.ts'

const loadEditor = async () => (await import('./book-editor.tsx')).BookEditor

/** The editor of a book, fetched when it is first wanted. */
export function useBookEditor() {
  const editor = useLateDialog(
    loadEditor,
    () => void fetchToast().then((toast) => toast.error(somethingWrong)),
  )
  const onClick = () => {
    // An earlier message would lie over the sheet.
    void fetchToast().then((toast) => toast.dismiss())
    editor.button.onClick()
  }
  return { ...editor, button: { ...editor.button, onClick } }
}
