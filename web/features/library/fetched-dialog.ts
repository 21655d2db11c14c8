import type { ComponentType } from 'react'
import { genericErrorMessage } from '#web/api/errors.ts'
import { fetchToast, showError } from '#web/ui/fetch-toast.ts'
import { useLazyDialog, type DialogState } from '#web/ui/lazy-dialog.ts'

/** A dialog that is fetched when it is first wanted; when it does not come, a message says so. */
export function useFetchedDialog<Props extends DialogState>(
  load: () => Promise<ComponentType<Props>>,
) {
  const dialog = useLazyDialog(load, () => showError(genericErrorMessage()))
  const onClick = () => {
    // An earlier message would lie over the sheet.
    fetchToast().then(
      (toast) => toast.dismiss(),
      () => undefined,
    )
    dialog.button.onClick()
  }
  return { ...dialog, button: { ...dialog.button, onClick } }
}
