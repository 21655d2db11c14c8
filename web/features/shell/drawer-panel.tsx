import { LogOut, Search, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { useManageSubscription } from '#web/features/billing/manage-subscription.ts'
import { usePlanAction } from '#web/features/billing/plan-action.ts'
import { Button } from '#web/ui/button.tsx'
import { scrimClass } from '#web/ui/dialog-sheet.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { SideNavItem } from '#web/ui/navigation.tsx'
import { ThemeToggle } from '#web/ui/theme-toggle.tsx'
import { t } from '#web/i18n/shell.ts'
import { BrandMark } from './brand.tsx'
import { triggerShortcut } from './shortcut.ts'
import { SideLinks } from './side-links.tsx'
import { useSignOut } from './sign-out.ts'
import { ScriptButton } from '#web/ui/script-button.tsx'

export default function DrawerPanel(props: {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Called when the panel has closed, to return the focus. */
  onClosed: () => void
}) {
  const { open, onOpenChange, onClosed } = props
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrimClass} />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            onClosed()
          }}
          className="fixed inset-y-0 start-0 z-50 flex w-72 max-w-[85vw] flex-col gap-6 overflow-y-auto border-e border-line bg-raised p-3 pb-[max(1rem,env(safe-area-inset-bottom))] text-ink shadow-lift outline-none fade-in-out"
        >
          <div className="flex items-center gap-2.5 ps-3">
            <BrandMark className="size-7" />
            <Dialog.Title className="flex-1 text-xl">Octavo</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={t('close')}>
                <X aria-hidden />
              </IconButton>
            </Dialog.Close>
          </div>
          <DrawerLinks onFollow={() => onOpenChange(false)} />
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
      <SideLinks place="top" label={t('main')} onFollow={onFollow} />
      <SideLinks place="library" label={t('library')} onFollow={onFollow} />
      <div className="mt-auto grid border-t border-line pt-3">
        <PlanButton onFollow={onFollow} />
        <SideNavItem>
          <ScriptButton
            onClick={() => {
              onFollow()
              triggerShortcut('palette')
            }}
          >
            <Search aria-hidden />
            {t('findAnything')}
          </ScriptButton>
        </SideNavItem>
        <ThemeToggle withText className="font-medium text-ink-soft" />
        {session ? (
          <SideNavItem>
            <ScriptButton onClick={leave}>
              <LogOut aria-hidden />
              {t('logout')}
            </ScriptButton>
          </SideNavItem>
        ) : null}
      </div>
    </>
  )
}

function PlanButton({ onFollow }: { onFollow: () => void }) {
  const action = usePlanAction()
  const { open, isPending } = useManageSubscription()
  if (!action) return null
  return (
    <div className="grid px-3 pb-3">
      {action === 'manage' ? (
        <Button pending={isPending} onClick={open}>
          {t('manage')}
        </Button>
      ) : (
        <Button variant="primary" asChild>
          {action === 'sign-up' ? (
            <Link to="/signup" onClick={onFollow}>
              {t('signUp')}
            </Link>
          ) : (
            <Link to="/pricing" onClick={onFollow}>
              {t('subscribe')}
            </Link>
          )}
        </Button>
      )}
    </div>
  )
}
