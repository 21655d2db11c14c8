import { Menu } from 'lucide-react'
import { useRef } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { t } from '#web/i18n/shell.ts'

const loadPanel = async () => (await import('./drawer-panel.tsx')).default

/** The side column's links in a drawer, for narrow windows. Its code loads on demand. */
export function Drawer({ className }: { className?: string | undefined }) {
  const menu = useRef<HTMLButtonElement>(null)
  const { Dialog, round, state, button } = useLazyDialog(loadPanel)
  return (
    <>
      <IconButton
        ref={menu}
        label={t('menu')}
        aria-expanded={state.open}
        className={classNames('-ms-2', className)}
        {...button}
      >
        <Menu aria-hidden />
      </IconButton>
      {Dialog ? <Dialog key={round} {...state} onClosed={() => menu.current?.focus()} /> : null}
    </>
  )
}
