import { useState } from 'react'
import type { Settings, User } from '#shared/account.ts'
import { readProfileForm, type ProfileForm } from '#shared/username.ts'
import { ProfileError, saveMessage, useProfileSave } from '#web/api/account.ts'
import { toast } from '#web/ui/toast.tsx'

type Wrong = Readonly<Record<string, string | undefined>>

/** What a reader types for their name, username and visibility, what is wrong of it, and its saving. */
export function useAccountForm({ user, settings }: { user: User; settings: Settings }) {
  const save = useProfileSave({ user, settings })
  const current = { name: user.name, username: user.username, isPrivate: settings.isPrivate }
  const [form, setForm] = useState<ProfileForm>(current)
  const [wrong, setWrong] = useState<Wrong>({})
  const change = (values: Partial<ProfileForm>) => setForm({ ...form, ...values })

  /** @param sheet whose first wrong field is focused */
  function submit(sheet: HTMLFormElement): void {
    const refuse = (fields: Wrong) => {
      setWrong(fields)
      const first = ['name', 'username'].find((name) => fields[name])
      sheet.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    }
    const { values, wrong: found } = readProfileForm(form, current)
    refuse(found)
    if (Object.keys(found).length) return
    setForm(values)
    const { name, username, isPrivate } = values
    const isSame =
      name === current.name && username === current.username && isPrivate === current.isPrivate
    if (isSame) return void toast.info('Nothing has changed.')
    save.mutate(
      { user: { name, username }, settings: { isPrivate } },
      {
        onSuccess: () => toast.success('updated'),
        onError: (error) => {
          if (error instanceof ProfileError) refuse(error.fields)
          toast.error(saveMessage(error))
        },
      },
    )
  }

  return { form, wrong, change, submit, isPending: save.isPending }
}
