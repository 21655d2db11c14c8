import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import { profileForm, type Settings, type User } from '#shared/account.ts'
import { ProfileError, useProfileSave } from '#web/api/account.ts'
import { errorMessage } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useHydrated } from './hydrated.ts'

const visibilities = [
  { value: 'public', label: 'Public', hint: 'Everybody sees your profile and public shelves.' },
  { value: 'private', label: 'Private', hint: 'You alone see your profile, shelves and activity.' },
] as const

/** What a reader is called and who sees them. */
export function AccountCard({ user, settings }: { user: User; settings: Settings }) {
  const hydrated = useHydrated()
  const save = useProfileSave({ user, settings })
  const current = { name: user.name, username: user.username, isPrivate: settings.isPrivate }
  const { register, control, handleSubmit, setError, reset, formState } = useForm({
    resolver: zodResolver(profileForm),
    defaultValues: current,
  })
  const { errors } = formState

  function submit(form: typeof current): void {
    const name = form.name || current.name
    const username = form.username || current.username
    const { isPrivate } = form
    // Blank fields stand for what is there, and show it again.
    const next = { name, username, isPrivate }
    const isSame = Object.entries(current).every(([key, value]) => Reflect.get(next, key) === value)
    if (isSame) {
      reset(current)
      return void toast.info('Nothing has changed.')
    }
    save.mutate(
      { user: { name, username }, settings: { isPrivate } },
      {
        onSuccess: () => {
          reset(next)
          toast.success('updated')
        },
        onError: (error) => {
          if (!(error instanceof ProfileError)) return void toast.error(errorMessage(error))
          toast.error(error.message)
          for (const field of ['name', 'username'] as const) {
            const message = error.fields[field]
            if (message) setError(field, { type: 'server', message }, { shouldFocus: true })
          }
        },
      },
    )
  }

  return (
    <Panel title="Account Settings">
      <form
        method="post"
        noValidate
        onSubmit={(event) => void handleSubmit(submit)(event)}
        className="grid gap-2"
      >
        <TextField
          label="Name"
          autoComplete="name"
          error={errors.name?.message}
          {...register('name')}
        />
        <TextField
          label="Username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          hint="Visible to others. The old one leads to the new one for 30 days."
          error={errors.username?.message}
          {...register('username')}
        />
        <Controller
          name="isPrivate"
          control={control}
          render={({ field }) => (
            <RadioGroup
              label="Profile Visibility"
              options={visibilities}
              value={field.value ? 'private' : 'public'}
              onValueChange={(value) => field.onChange(value === 'private')}
            />
          )}
        />
        <Button
          type="submit"
          variant="primary"
          disabled={!hydrated}
          pending={save.isPending}
          className="mt-3 justify-self-end"
        >
          Save
        </Button>
      </form>
    </Panel>
  )
}
