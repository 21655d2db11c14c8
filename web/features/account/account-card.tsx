import { useRef } from 'react'
import type { Settings, User } from '#shared/account.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { usePagePath } from '#web/ui/page-path.ts'
import { Panel } from '#web/ui/panel.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useTypedEarly } from '#web/ui/typed-early.ts'
import { t } from '#web/i18n/account.ts'
import { useAccountForm } from './use-account-form.ts'

/** A reader's names and privacy. */
export function AccountCard({ user, settings }: { user: User; settings: Settings }) {
  const { form, wrong, message, change, submit, isPending } = useAccountForm({ user, settings })
  const [name, username] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  useTypedEarly(name, 'value', form.name, (typed) => change({ name: typed }))
  useTypedEarly(username, 'value', form.username, (typed) => change({ username: typed }))
  return (
    <Panel title={t('accountSettings')}>
      <form
        method="post"
        action={usePagePath()}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit(event.currentTarget)
        }}
        className="grid gap-4"
      >
        {message ? <ErrorState title={t('dataError')} message={message} /> : null}
        <TextField
          ref={name}
          label={t('name')}
          name="name"
          autoComplete="name"
          value={form.name}
          error={wrong['name']}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextField
          ref={username}
          label={t('username')}
          name="username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          hint={t('usernameHint')}
          value={form.username}
          error={wrong['username']}
          onChange={(event) => change({ username: event.currentTarget.value })}
        />
        <RadioGroup
          label={t('profileVisibility')}
          name="visibility"
          options={[
            { value: 'public', label: t('public'), hint: t('publicHint') },
            { value: 'private', label: t('private'), hint: t('privateHint') },
          ]}
          value={form.isPrivate ? 'private' : 'public'}
          onValueChange={(value) => change({ isPrivate: value === 'private' })}
        />
        <Button
          type="submit"
          variant="primary"
          pending={isPending}
          className="mt-3 justify-self-end"
        >
          {t('save')}
        </Button>
      </form>
    </Panel>
  )
}
