import { useState } from 'react'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { commandKey, KeyboardKey } from '#web/ui/keyboard-key.tsx'
import type { DialogState } from '#web/ui/lazy-dialog.ts'
import { hasSingleKeys, turnSingleKeys } from '#web/ui/single-keys.ts'
import { Switch } from '#web/ui/switch.tsx'
import { t } from '#web/i18n/palette.ts'

const keys: readonly [deed: Parameters<typeof t>[0], ...keys: string[]][] = [
  ['findAnything', 'Command', 'K'],
  ['keySearch', '/'],
  ['keyList', '?'],
  ['keyClose', 'Esc'],
  ['keyNext', 'Tab'],
  ['keyRating', '←', '→'],
  ['keyChoose', '↑', '↓'],
  ['keyNotifications', 'Alt', 'T'],
]

export default function ShortcutList(state: DialogState) {
  const [isOn, setOn] = useState(hasSingleKeys)
  return (
    <Dialog size="sm" title={t('keyboardShortcuts')} {...state}>
      <dl className="divide-y divide-line">
        {keys.map(([deed, ...names]) => (
          <div key={deed} className="flex min-h-11 items-center justify-between gap-4 py-1.5">
            <dt>{t(deed)}</dt>
            <dd className="flex shrink-0 gap-1">
              {names.map((name) => (
                <KeyboardKey key={name}>{name === 'Command' ? commandKey() : name}</KeyboardKey>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-2 border-t border-line pt-2">
        <Switch
          label={t('singleKeys')}
          checked={isOn}
          onCheckedChange={(next) => {
            turnSingleKeys(next)
            setOn(next)
          }}
        />
        <p className="text-sm text-ink-soft">{t('singleKeysHint')}</p>
      </div>
    </Dialog>
  )
}
