import { useState } from 'react'
import { useActionData } from 'react-router'
import type { Settings, User } from '#shared/account.ts'
import type { ProfileForm } from '#shared/username.ts'
import {
  profileChanges,
  ProfileError,
  profileErrorMessage,
  profileOf,
  useProfileSave,
} from '#web/api/account.ts'
import type { Refusal } from '#web/api/act.ts'
import { checkProfile, typedProfile } from './profile-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/account.ts'

type Wrong = Readonly<Record<string, string | undefined>>

/** The form of a reader's name, username and visibility, with its errors and saving. */
export function useAccountForm({ user, settings }: { user: User; settings: Settings }) {
  const save = useProfileSave({ user, settings })
  const refused = useActionData<Refusal>()
  const current = profileOf({ user, settings })
  // The values when the form opened, so that changes made elsewhere aren't taken for this form's.
  const [start, setStart] = useState<ProfileForm>(current)
  const [form, setForm] = useState(() => (refused?.typed ? typedProfile(refused.typed) : start))
  const [wrong, setWrong] = useState<Wrong>(refused?.wrong ?? {})
  const change = (values: Partial<ProfileForm>) => setForm((typed) => ({ ...typed, ...values }))

  /** @param sheet whose first wrong field is focused */
  function submit(sheet: HTMLFormElement): void {
    const refuse = (fields: Wrong) => {
      setWrong(fields)
      const first = ['name', 'username'].find((name) => fields[name])
      sheet.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    }
    const { values, wrong: found } = checkProfile(form, current)
    refuse(found)
    if (Object.keys(found).length > 0) return
    setForm(values)
    const changed = profileChanges(values, start)
    if (!changed) return void toast.info(t('nothingHasChanged'))
    save.mutate(changed, {
      onSuccess: (saved) => {
        const now = profileOf(saved)
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

  return { form, wrong, message: refused?.message, change, submit, isPending: save.isPending }
}
