import type { Settings, User } from '#shared/account.ts'
import { profileErrorMessage, useProfileSave, type ProfileChanges } from '#web/api/account.ts'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/account.ts'
import { isReadable, type ChosenPicture } from './use-picture.ts'
import { ruleMessage } from '#web/i18n/rules.ts'

/** Saves the pictures a reader chose, or takes one away; messages tell what became of it. */
export function usePictureSave(
  own: { user: User; settings: Settings },
  { avatar, background }: { avatar: ChosenPicture; background: ChosenPicture },
) {
  const save = useProfileSave(own)

  async function send(changes: ProfileChanges): Promise<void> {
    try {
      await save.mutateAsync(changes)
      toast.success(t('updated'))
    } catch (error) {
      toast.error(profileErrorMessage(error))
      throw error
    }
  }
  /** @throws what the server refused, once its message is shown */
  async function saveChosen(): Promise<void> {
    const chosen = [avatar.file, background.file].filter((file) => file !== null)
    if (!chosen.length) return void toast.info(t('nothingHasChanged'))
    for (const file of chosen)
      if (!(await isReadable(file))) return void toast.error(ruleMessage({ key: 'pictureMissing' }))
    await send({
      ...(avatar.file && { user: { avatar: avatar.file } }),
      ...(background.file && { settings: { background: background.file } }),
    })
    avatar.clear()
    background.clear()
  }
  /** @throws what the server refused, once its message is shown */
  const remove = (which: 'avatar' | 'background') =>
    send(which === 'avatar' ? { user: { avatar: null } } : { settings: { background: null } })

  return { saveChosen, remove, isPending: save.isPending }
}
