import type { ReactNode } from 'react'
import { useActionData } from 'react-router'
import type { Settings } from '#shared/account.ts'
import type { Refusal } from '#web/api/act.ts'
import { Button } from '#web/ui/button.tsx'
import { usePagePath } from '#web/ui/page-path.ts'
import { t } from '#web/i18n/account.ts'

export type SettingName = keyof Settings

/** Sends the choice of a setting without scripts: the control in it is named `value`. */
export function SettingForm({ name, children }: { name: SettingName; children: ReactNode }) {
  return (
    <form method="post" action={usePagePath()} className="grid gap-2">
      <input type="hidden" name="setting" value={name} />
      {children}
      <noscript>
        <Button type="submit" size="sm">
          {t('save')}
        </Button>
      </noscript>
    </form>
  )
}

/** @returns the choice that the page's action refused, and why; undefined if it refused none */
export function useSettingRefusal(name: SettingName): { value: string; error: string } | undefined {
  const { typed, wrong, message } = useActionData<Refusal>() ?? {}
  if (typed?.['setting'] !== name) return undefined
  return { value: typed['value'] ?? '', error: wrong?.[name] ?? message ?? '' }
}
