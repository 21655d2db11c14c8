import type { Settings, User } from '#shared/account.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useHydrated } from '#web/ui/hydrated.ts'
import { t } from '#web/i18n/account.ts'
import { useAccountForm } from './use-account-form.ts'

/** A reader's names and privacy. */
export function AccountCard({ user, settings }: { user: User; settings: Settings }) {
  const disabled = !useHydrated()
  const { form, wrong, change, submit, isPending } = useAccountForm({ user, settings })
  return (
    <Panel title={t('accountSettings')}>
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
          label={t('name')}
          name="name"
          autoComplete="name"
          disabled={disabled}
          value={form.name}
          error={wrong['name']}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextField
          label={t('username')}
          name="username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          hint={t('usernameHint')}
          disabled={disabled}
          value={form.username}
          error={wrong['username']}
          onChange={(event) => change({ username: event.currentTarget.value })}
        />
        <RadioGroup
          label={t('profileVisibility')}
          options={[
            { value: 'public', label: t('public'), hint: t('publicHint') },
            { value: 'private', label: t('private'), hint: t('privateHint') },
          ]}
          value={form.isPrivate ? 'private' : 'public'}
          onValueChange={(value) => change({ isPrivate: value === 'private' })}
        />
        <Button
          type="submit"
          needsScript
          variant="primary"
          disabled={disabled}
          pending={isPending}
          className="mt-3 justify-self-end"
        >
          {t('save')}
        </Button>
      </form>
    </Panel>
  )
}
