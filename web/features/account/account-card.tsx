import { useState } from 'react'
import type { Settings, User } from '#shared/account.ts'
import { readProfileForm, type ProfileForm } from '#shared/username.ts'
import { ProfileError, saveMessage, useProfileSave } from '#web/api/account.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useHydrated } from '#web/ui/hydrated.ts'

const visibilities = [
  { value: 'public', label: 'Public', hint: 'Everybody sees your profile and public shelves.' },
  { value: 'private', label: 'Private', hint: 'You alone see your profile, shelves and activity.' },
] as const

type Wrong = Readonly<Record<string, string | undefined>>

/** What a reader is called and who sees them. */
export function AccountCard({ user, settings }: { user: User; settings: Settings }) {
  const disabled = !useHydrated()
  const save = useProfileSave({ user, settings })
  const current = { name: user.name, username: user.username, isPrivate: settings.isPrivate }
  const [form, setForm] = useState<ProfileForm>(current)
  const [wrong, setWrong] = useState<Wrong>({})
  const change = (values: Partial<ProfileForm>) => setForm({ ...form, ...values })

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

  return (
    <Panel title="Account Settings">
      <form
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit(event.currentTarget)
        }}
        className="grid gap-4"
      >
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          disabled={disabled}
          value={form.name}
          error={wrong['name']}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextField
          label="Username"
          name="username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          hint="Visible to others. The old one leads to the new one for 30 days."
          disabled={disabled}
          value={form.username}
          error={wrong['username']}
          onChange={(event) => change({ username: event.currentTarget.value })}
        />
        <RadioGroup
          label="Profile Visibility"
          options={visibilities}
          value={form.isPrivate ? 'private' : 'public'}
          onValueChange={(value) => change({ isPrivate: value === 'private' })}
        />
        <Button
          type="submit"
          variant="primary"
          disabled={disabled}
          pending={save.isPending}
          className="mt-3 justify-self-end"
        >
          Save
        </Button>
      </form>
    </Panel>
  )
}
