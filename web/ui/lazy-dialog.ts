import { startTransition, useState, type ComponentType } from 'react'
import { t } from '#web/i18n/shell.ts'
import { fetchToast, showError } from './fetch-toast.ts'
import { loadCode } from './load-code.ts'

export type DialogState = { open: boolean; onOpenChange: (open: boolean) => void }

/**
 * A dialog whose code comes when it is wanted, so that a page does not pay for what few open. It
 * begins anew each time it is shown. If its code doesn't come, a message says so, and the next press
 * tries again.
 *
 * @param load brings the dialog; begun early by `prepare`
 */
export function useLazyDialog<Props extends DialogState>(
  load: () => Promise<ComponentType<Props>>,
) {
  const [Dialog, setDialog] = useState<ComponentType<Props>>()
  const [round, setRound] = useState(0)
  const [open, onOpenChange] = useState(false)
  const prepare = () => void loadCode(load).catch(() => undefined)

  async function show(): Promise<void> {
    dismissToasts()
    try {
      const loaded = await loadCode(load)
      // The press shows at once, and the dialog is drawn between the frames.
      startTransition(() => {
        setDialog(() => loaded)
        setRound((last) => last + 1)
        onOpenChange(true)
      })
    } catch {
      showError(t('somethingWentWrongPleaseTry2'))
    }
  }

  return {
    /** Undefined until it was first shown. */
    Dialog,
    round,
    state: { open, onOpenChange },
    /** For the button that opens it. */
    button: {
      'aria-haspopup': 'dialog' as const,
      onPointerEnter: prepare,
      onFocus: prepare,
      onClick: () => void show(),
    },
  }
}

/** An earlier message would lie over the dialog. */
function dismissToasts(): void {
  fetchToast().then(
    (toast) => toast.dismiss(),
    () => undefined,
  )
}
