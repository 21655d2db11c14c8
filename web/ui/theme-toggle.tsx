import { Moon, Sun } from 'lucide-react'
import { classNames } from './class-names.ts'
import { iconButtonClass } from './icon-button.tsx'
import { useTheme } from './theme.ts'
import { t } from '#web/i18n/shell.ts'
import { ScriptButton } from './script-button.tsx'

/** Icon and name follow the class on the root, so they are right before any script of ours runs. */
export function ThemeToggle(props: {
  withText?: boolean | undefined
  className?: string | undefined
}) {
  const { withText = false, className } = props
  const { toggle } = useTheme()
  const text = withText ? undefined : 'sr-only'
  return (
    <ScriptButton
      onClick={toggle}
      className={classNames(
        withText
          ? 'inline-flex min-h-11 items-center gap-3 rounded-md px-3 text-sm hover:bg-sunken'
          : iconButtonClass(),
        className,
      )}
    >
      <span className="dark:hidden">
        <Moon aria-hidden className="size-5" />
      </span>
      <span className="hidden dark:block">
        <Sun aria-hidden className="size-5" />
      </span>
      <span className={classNames(text, 'dark:hidden')}>{t('darkTheme')}</span>
      <span className={classNames(text, 'hidden dark:block')}>{t('lightTheme')}</span>
    </ScriptButton>
  )
}
