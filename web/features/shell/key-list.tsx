import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { commandKey, Key } from '#web/ui/key.tsx'
import type { DialogState } from '#web/ui/late-dialog.ts'
import { t } from '#web/i18n/shell.ts'

const keys: readonly [deed: string, ...keys: string[]][] = [
  ['Find anything', 'Command', 'K'],
  ['Search on this page', '/'],
  ['Show this list', '?'],
  ['Close a dialog or menu', 'Esc'],
  ['Go to the next field or button', 'Tab'],
  ['Change a rating by half a star', '←', '→'],
  ['Choose in a menu or list', '↑', '↓'],
  ['Go to the notifications', 'Alt', 'T'],
]

/** The list of keys. */
export default function KeyList(state: DialogState) {
  return (
    <Dialog size="sm" title={t('keyboardShortcuts')} {...state}>
      <dl className="divide-y divide-line">
        {keys.map(([deed, ...names]) => (
          <div key={deed} className="flex min-h-11 items-center justify-between gap-4">
            <dt>{deed}</dt>
            <dd className="flex shrink-0 gap-1">
              {names.map((name) => (
                <Key key={name}>{name === 'Command' ? commandKey() : name}</Key>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
