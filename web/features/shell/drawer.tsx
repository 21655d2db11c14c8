import { Menu } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { t } from '#web/i18n/shell.ts'

const fetchPanel = () => import('./drawer-panel.tsx')
const DrawerPanel = lazy(fetchPanel)
/** Fails without a connection, as does the panel once it is asked for. */
const prefetchPanel = () => void fetchPanel().catch(() => undefined)

/** Wherever the side column has no room: the same links, from the left edge; fetched when asked for. */
export function Drawer({ className }: { className?: string | undefined }) {
  const button = useRef<HTMLButtonElement>(null)
  const [wanted, setWanted] = useState(false)
  const [open, setOpen] = useState(false)
  const show = () => {
    setWanted(true)
    setOpen(true)
  }
  return (
    <>
      <IconButton
        ref={button}
        label={t('menu')}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={show}
        onPointerEnter={prefetchPanel}
        onFocus={prefetchPanel}
        className={classNames('-ms-2', className)}
      >
        <Menu aria-hidden />
      </IconButton>
      <Suspense>
        {wanted ? (
          <DrawerPanel
            open={open}
            onOpenChange={setOpen}
            onClosed={() => button.current?.focus()}
          />
        ) : null}
      </Suspense>
    </>
  )
}
