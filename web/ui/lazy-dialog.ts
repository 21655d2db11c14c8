import { startTransition, useState, type ComponentType } from 'react'
import { t } from '#web/i18n/shell.ts'
import { fetchToast, showError } from './fetch-toast.ts'
import { loadCode } from './load-code.ts'

export type DialogState = { open: boolean; onOpenChange: (open: boolean) => void }

/**
 * A dialog whose code loads when its button is hovered, focused or pressed. Its state is reset each
 * time it opens. If the code fails to load, a message says so, and the next press tries again.
 *
 * @param load imports the dialog
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
      // Lets the button's pressed state paint first.
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
    /** Undefined until it is first opened. */
    Dialog,
    round,
    state: { open, onOpenChange },
    /** Props for the button that opens it. */
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
