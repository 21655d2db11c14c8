import { useState } from 'react'
import type { Settings, User } from '#shared/account.ts'
import { parseProfileForm, type ProfileForm } from '#shared/username.ts'
import { ProfileError, profileErrorMessage, useProfileSave } from '#web/api/account.ts'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/account.ts'
import { ruleMessage } from '#web/i18n/rules.ts'

type Wrong = Readonly<Record<string, string | undefined>>

/** The form of a reader's name, username and visibility, with its errors and saving. */
export function useAccountForm({ user, settings }: { user: User; settings: Settings }) {
  const save = useProfileSave({ user, settings })
  const current = valuesOf({ user, settings })
  // The values when the form opened, so that changes made elsewhere aren't taken for this form's.
  const [start, setStart] = useState<ProfileForm>(current)
  const [form, setForm] = useState(start)
  const [wrong, setWrong] = useState<Wrong>({})
  const change = (values: Partial<ProfileForm>) => setForm({ ...form, ...values })

  /** @param sheet whose first wrong field is focused */
  function submit(sheet: HTMLFormElement): void {
    const refuse = (fields: Wrong) => {
      setWrong(fields)
      const first = ['name', 'username'].find((name) => fields[name])
      sheet.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    }
    const { values, wrong: found } = parseProfileForm(form, current)
    const messages = Object.entries(found).map(([name, refused]) => [name, ruleMessage(refused)])
    refuse(Object.fromEntries(messages) as Wrong)
    if (messages.length) return
    setForm(values)
    const { name, username, isPrivate } = values
    const changed = {
      user: {
        ...(name !== start.name && { name }),
        ...(username !== start.username && { username }),
      },
      settings: isPrivate === start.isPrivate ? {} : { isPrivate },
    }
    if (!Object.keys({ ...changed.user, ...changed.settings }).length)
      return void toast.info(t('nothingHasChanged'))
    save.mutate(changed, {
      onSuccess: (saved) => {
        const now = valuesOf(saved)
        setStart(now)
        // Keep what was typed while saving.
        setForm((typed) => (typed === values ? now : typed))
        toast.success(t('updated'))
      },
      onError: (error) => {
        if (error instanceof ProfileError) refuse(error.fields)
        toast.error(profileErrorMessage(error))
      },
    })
  }

  return { form, wrong, change, submit, isPending: save.isPending }
}

const valuesOf = ({ user, settings }: { user: User; settings: Settings }): ProfileForm => ({
  name: user.name,
  username: user.username,
  isPrivate: settings.isPrivate,
})
