import type { ReactNode } from 'react'
import { genericErrorMessage } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import type { ConfirmDialogProps } from '#web/ui/confirm-dialog.tsx'
import { showError } from '#web/ui/fetch-toast.ts'
import { useLazyDialog, type DialogState } from '#web/ui/lazy-dialog.ts'

/** Brings the dialog that asks first. */
export const loadConfirmDialog = async () =>
  (await import('#web/ui/confirm-dialog.tsx')).ConfirmDialog

/** A button for what can't be undone: it asks first, in a dialog whose code comes with the press. */
export function LazyConfirmButton(
  props: Pick<ConfirmDialogProps, 'description' | 'confirmLabel' | 'onConfirm'> & {
    children: ReactNode
  },
) {
  const { children, ...question } = props
  const { Dialog, round, state, button } = useLazyDialog<ConfirmDialogProps & DialogState>(
    loadConfirmDialog,
    () => showError(genericErrorMessage()),
  )
  return (
    <>
      <Button variant="danger" {...button}>
        {children}
      </Button>
      {Dialog ? <Dialog key={round} {...question} {...state} /> : null}
    </>
  )
}
