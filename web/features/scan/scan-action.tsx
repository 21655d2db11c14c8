import { cloneElement, useState, type ComponentProps, type ReactElement } from 'react'
import ScanDialog from './scan-dialog.tsx'

/** A button of the navigation that scans. */
export default function ScanAction({ button }: { button: ReactElement<ComponentProps<'button'>> }) {
  const [round, setRound] = useState(1)
  const [open, setOpen] = useState(true)
  return (
    <>
      {cloneElement(button, {
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        onClick: () => {
          setRound(round + 1)
          setOpen(true)
        },
      })}
      <ScanDialog key={round} open={open} onOpenChange={setOpen} />
    </>
  )
}
