import { Moon, Sun } from 'lucide-react'
import { MenuItem } from '#web/ui/menu.tsx'
import { useTheme } from '#web/ui/theme.ts'
import { t } from '#web/i18n/shell.ts'

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
      {dark ? t('lightTheme') : t('darkTheme')}
    </MenuItem>
  )
}
