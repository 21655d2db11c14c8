import { lazy } from '#web/ui/lazy.ts'
import type { User } from '#shared/account.ts'
import { filePath } from '#web/api/file-path.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { OnDemand } from '#web/ui/on-demand.tsx'
import { t } from '#web/i18n/shell.ts'
import { ScriptButton } from '#web/ui/script-button.tsx'

const fetchMenu = () => import('./user-menu-items.tsx')
const Items = lazy(fetchMenu)

export function UserMenu({ user }: { user: User }) {
  const picture = user.avatar ? filePath(user, user.avatar, '100x50f') : null
  const button = (
    <ScriptButton
      aria-label={t('accountOf', { username: user.username })}
      className="-me-1.5 inline-grid size-11 place-items-center rounded-full transition-colors hover:bg-sunken"
    >
      <Avatar name={user.name || user.username} src={picture} size="sm" />
    </ScriptButton>
  )
  return (
    <OnDemand button={button} preload={fetchMenu}>
      {(trigger) => <Items trigger={trigger} username={user.username} />}
    </OnDemand>
  )
}
