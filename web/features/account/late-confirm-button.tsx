import type { ReactNode } from 'react'
import { somethingWrong } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import type { ConfirmDialogProps } from '#web/ui/confirm-dialog.tsx'
import { tellError } from '#web/ui/fetch-toast.ts'
import { useLateDialog, type DialogState } from '#web/ui/late-dialog.ts'

const load = async () => (await import('#web/ui/confirm-dialog.tsx')).ConfirmDialog

/** A button for what can't be undone: it asks first, in a dialog whose code comes with the press. */
export function LateConfirmButton(
  props: Pick<ConfirmDialogProps, 'description' | 'confirmLabel' | 'onConfirm'> & {
    children: ReactNode
  },
) {
  const { children, ...question } = props
  const { Dialog, round, state, button } = useLateDialog<ConfirmDialogProps & DialogState>(
    load,
    () => tellError(somethingWrong()),
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
