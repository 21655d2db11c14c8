import { LogOut, Moon, Sun } from 'lucide-react'
import { Link } from 'react-router'
import type { User } from '#shared/account.ts'
import { useApi } from '#web/api/context.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/menu.tsx'
import { useTheme } from '#web/ui/theme.ts'
import { useSignOut } from './sign-out.ts'
import { useDestinations } from './viewer.ts'

export function UserMenu({ user }: { user: User }) {
  const api = useApi()
  const signOut = useSignOut()
  const picture = user.avatar ? api.files.getURL(user, user.avatar, { thumb: '100x50f' }) : null
  const trigger = (
    <button
      type="button"
      aria-label={`Account of ${user.username}`}
      className="inline-grid size-11 place-items-center rounded-full"
    >
      <Avatar name={user.name || user.username} src={picture} size="sm" />
    </button>
  )
  return (
    <Menu trigger={trigger}>
      <MenuLabel>
        signed in as <span className="font-semibold text-ink">@{user.username}</span>
      </MenuLabel>
      <MenuSeparator />
      {useDestinations('account').map(({ label, href, icon: Icon }) => (
        <MenuItem key={label} asChild>
          <Link to={href}>
            <Icon aria-hidden />
            {label}
          </Link>
        </MenuItem>
      ))}
      <ThemeMenuItem />
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => signOut.mutate()}>
        Logout
      </MenuItem>
    </Menu>
  )
}

/** Leaves the menu open, so that the other theme can be looked at and taken back. */
export function ThemeMenuItem() {
  const { theme, toggle } = useTheme()
  const dark = theme === 'dark'
  return (
    <MenuItem
      icon={dark ? <Sun aria-hidden /> : <Moon aria-hidden />}
      onSelect={(event) => {
        event.preventDefault()
        toggle()
      }}
    >
      {dark ? 'Light theme' : 'Dark theme'}
    </MenuItem>
  )
}
