import type { ReactNode } from 'react'
import { t } from '#web/i18n/shell.ts'

export function KeyboardKey({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-block min-w-6 rounded-cover border border-line-strong/60 bg-surface px-1.5 text-center font-sans text-xs leading-5 text-ink-soft">
      {children}
    </kbd>
  )
}

/** @returns the name of the modifier key: Cmd on a Mac, otherwise Ctrl */
export function commandKey(): string {
  return /Mac|iP(?:hone|ad)/.test(navigator.userAgent) ? '⌘' : t('ctrl')
}
