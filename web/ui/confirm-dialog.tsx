import { AlertDialog as Radix } from 'radix-ui'
import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { footerClass, scrimClass, surfaceClass, useReturnFocus } from './dialog-sheet.tsx'
import { useCountedDialog } from './open-dialogs.ts'
import { t } from '#web/i18n/shell.ts'

export type ConfirmDialogProps = {
  /** The consequence, and that it can't be undone. */
  description: ReactNode
  /** A verb such as 'Delete shelf', never 'OK'. */
  confirmLabel: string
  /** The button waits for the promise. The dialog closes if it resolves and stays if it rejects. */
  onConfirm: () => void | Promise<unknown>
  trigger?: ReactNode
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { description, confirmLabel, onConfirm, trigger, open, onOpenChange } = props
  const [ownOpen, setOwnOpen] = useState(false)
  const [pending, setPending] = useState(false)
  const returnFocus = useReturnFocus(open ?? false)
  useCountedDialog(open ?? ownOpen)
  const setOpen = (next: boolean) => {
    if (pending && !next) return
    setOwnOpen(next)
    onOpenChange?.(next)
  }
  const confirm = async () => {
    setPending(true)
    try {
      await onConfirm()
      setOwnOpen(false)
      onOpenChange?.(false)
    } catch {
      // The caller tells what went wrong; the question stays open so that it can be tried again.
    } finally {
      setPending(false)
    }
  }
  return (
    <Radix.Root open={open ?? ownOpen} onOpenChange={setOpen}>
      {trigger ? <Radix.Trigger asChild>{trigger}</Radix.Trigger> : null}
      <Radix.Portal>
        <Radix.Overlay className={scrimClass} />
        <Radix.Content
          className={surfaceClass('sm')}
          {...(trigger ? {} : { onCloseAutoFocus: returnFocus })}
        >
          <div className="grid gap-2 px-5 py-5 md:px-6">
            <Radix.Title className="text-xl">{t('areYouAbsolutelySure')}</Radix.Title>
            <Radix.Description className="text-sm text-ink-soft">{description}</Radix.Description>
          </div>
          <footer className={footerClass}>
            <Radix.Cancel asChild>
              <Button variant="secondary">{t('cancel')}</Button>
            </Radix.Cancel>
            <Button variant="primary" pending={pending} onClick={() => void confirm()}>
              {confirmLabel}
            </Button>
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
