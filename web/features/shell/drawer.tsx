import { LogOut, Menu as MenuIcon, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { SideNav, SideNavItem } from '#web/ui/navigation.tsx'
import { scrimClass } from '#web/ui/dialog-sheet.tsx'
import { ThemeToggle } from '#web/ui/theme-toggle.tsx'
import { BrandMark } from './brand.tsx'
import { DestinationLink } from './destination-link.tsx'
import { useSignOut } from './sign-out.ts'
import { useDestinations } from './viewer.ts'

/** Wherever the side column has no room: the same links, from the left edge. */
export function Drawer() {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <IconButton label="Menu" className="-ms-2 lg:hidden">
          <MenuIcon aria-hidden />
        </IconButton>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className={scrimClass} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 start-0 z-50 flex w-72 max-w-[85vw] flex-col gap-6 overflow-y-auto border-e border-line bg-raised p-3 pb-[max(1rem,env(safe-area-inset-bottom))] text-ink shadow-lift outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in"
        >
          <div className="flex items-center gap-2.5 ps-3">
            <BrandMark className="size-7" />
            <Dialog.Title className="flex-1 text-xl">Octavo</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label="Close">
                <X aria-hidden />
              </IconButton>
            </Dialog.Close>
          </div>
          <DrawerLinks onFollow={close} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function DrawerLinks({ onFollow }: { onFollow: () => void }) {
  const session = useSession()
  const signOut = useSignOut()
  const leave = () => {
    onFollow()
    signOut.mutate()
  }
  return (
    <>
      <SideLinks place="top" label="Main" onFollow={onFollow} />
      <SideLinks place="library" label="Library" onFollow={onFollow} />
      <div className="mt-auto grid border-t border-line pt-3">
        <ThemeToggle withText className="font-medium text-ink-soft" />
        {session ? (
          <SideNavItem>
            <button type="button" onClick={leave}>
              <LogOut aria-hidden />
              Logout
            </button>
          </SideNavItem>
        ) : null}
      </div>
    </>
  )
}

/** One titled group of links; `onFollow` is told when one was taken. */
export function SideLinks({
  place,
  label,
  onFollow,
}: {
  place: 'top' | 'library'
  label: string
  onFollow?: () => void
}) {
  return (
    <SideNav label={label} title={place === 'library' ? label : undefined}>
      {useDestinations(place).map((entry) => (
        <SideNavItem key={entry.label} current={entry.current}>
          <DestinationLink to={entry} {...(onFollow ? { onClick: onFollow } : {})}>
            <entry.icon aria-hidden />
            {entry.label}
          </DestinationLink>
        </SideNavItem>
      ))}
    </SideNav>
  )
}
