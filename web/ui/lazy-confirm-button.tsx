import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'
import { useLazyDialog, type DialogState } from './lazy-dialog.ts'

const loadConfirmDialog = async () => (await import('./confirm-dialog.tsx')).ConfirmDialog

/** A dialog that asks first. Its code comes with the press; an error says that it didn't. */
export const useLazyConfirmDialog = () =>
  useLazyDialog<ConfirmDialogProps & DialogState>(loadConfirmDialog)

/**
 * A button that asks first, in a dialog whose code comes with the press. It spares each of its users
 * a state of its own and the mounting of the dialog.
 */
export function LazyConfirmButton(
  props: Pick<ConfirmDialogProps, 'description' | 'confirmLabel' | 'onConfirm'> &
    Pick<ButtonProps, 'icon' | 'variant'> & { children: ReactNode },
) {
  const { children, icon, variant, ...question } = props
  const { Dialog, round, state, button } = useLazyConfirmDialog()
  return (
    <>
      <Button icon={icon} variant={variant} {...button}>
        {children}
      </Button>
      {Dialog ? <Dialog key={round} {...question} {...state} /> : null}
    </>
  )
}
