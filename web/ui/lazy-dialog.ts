import { startTransition, useState, type ComponentType } from 'react'
import { loadCode } from './load-code.ts'

export type DialogState = { open: boolean; onOpenChange: (open: boolean) => void }

/**
 * A dialog whose code comes when it is wanted, so that a page does not pay for what few open. It
 * begins anew each time it is shown.
 *
 * @param load brings the dialog; begun early by `prepare`
 * @param onFailure told when its code did not come; the next press tries again
 */
export function useLazyDialog<Props extends DialogState>(
  load: () => Promise<ComponentType<Props>>,
  onFailure: () => void,
) {
  const [Dialog, setDialog] = useState<ComponentType<Props>>()
  const [round, setRound] = useState(0)
  const [open, onOpenChange] = useState(false)
  const prepare = () => void loadCode(load).catch(() => undefined)

  async function show(): Promise<void> {
    try {
      const loaded = await loadCode(load)
      // The press shows at once, and the dialog is drawn between the frames.
      startTransition(() => {
        setDialog(() => loaded)
        setRound((last) => last + 1)
        onOpenChange(true)
      })
    } catch {
      onFailure()
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
