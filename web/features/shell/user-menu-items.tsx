import { CreditCard, Keyboard, LogOut, Search, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useManageSubscription } from '#web/features/billing/manage-subscription.ts'
import { usePlanAction } from '#web/features/billing/plan-action.ts'
import { useSession } from '#web/api/session.ts'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/menu.tsx'
import { rich, t } from '#web/i18n/shell.ts'
import { DestinationLink } from './destination-link.tsx'
import { triggerShortcut, hasKeyboard } from './shortcut.ts'
import { useSignOut } from './sign-out.ts'
import { ThemeMenuItem } from './theme-menu-item.tsx'
import { useDestinations } from './viewer.ts'

export default function UserMenuItems(props: { trigger: ReactNode; username: string }) {
  const { trigger, username } = props
  const signOut = useSignOut()
  const isAdmin = useSession()?.isAdmin
  return (
    <Menu trigger={trigger} defaultOpen>
      <MenuLabel>
        {rich('signedInAs', {
          username: <bdi className="font-semibold text-ink">@{username}</bdi>,
        })}
      </MenuLabel>
      <MenuSeparator />
      {useDestinations('account').map((entry) => (
        <MenuItem key={entry.label} asChild>
          <DestinationLink to={entry}>
            <entry.icon aria-hidden />
            {entry.label}
          </DestinationLink>
        </MenuItem>
      ))}
      {isAdmin ? (
        <MenuItem asChild>
          <Link to="/admin">
            <ShieldCheck aria-hidden />
            {t('administration')}
          </Link>
        </MenuItem>
      ) : null}
      <PlanItem />
      <MenuItem icon={<Search aria-hidden />} onSelect={() => triggerShortcut('palette')}>
        {t('findAnything')}
      </MenuItem>
      {hasKeyboard() ? (
        <MenuItem icon={<Keyboard aria-hidden />} onSelect={() => triggerShortcut('keys')}>
          {t('keyboardShortcuts')}
        </MenuItem>
      ) : null}
      <ThemeMenuItem />
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => signOut.mutate()}>
        {t('logout')}
      </MenuItem>
    </Menu>
  )
}

function PlanItem() {
  const action = usePlanAction()
  const { open } = useManageSubscription()
  if (action === 'manage')
    return (
      <MenuItem icon={<CreditCard aria-hidden />} onSelect={open}>
        {t('manageSubscription')}
      </MenuItem>
    )
  if (action !== 'subscribe') return null
  return (
    <MenuItem asChild>
      <Link to="/pricing">
        <CreditCard aria-hidden />
        {t('subscribe')}
      </Link>
    </MenuItem>
  )
}
