import type * as z from 'zod'
import { passwordForm } from '#shared/account-forms.ts'
import { accountResolver } from '#web/features/account/account-resolver.ts'
import { loadLink } from '#web/features/account/link-result.tsx'
import { linkAction, type SendPassword } from '#web/features/account/account-actions.ts'
import { PasswordLinkPage } from '#web/features/account/password-link-page.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { t } from '#web/i18n/entry.ts'

type Form = z.infer<typeof passwordForm>

export const loader = loadLink

const send: SendPassword<Form> = (users, token, { password }) =>
  users.confirmEmailChange(token, password)

export const action = linkAction(passwordForm, send)

export const meta = () => [{ title: `${t('confirmYourNewEmail')} | Octavo` }]

export default function ConfirmEmailChangeScreen() {
  return (
    <PasswordLinkPage<Form>
      title={t('confirmYourNewEmail')}
      description={t('enterPasswordForNewEmail')}
      again="/account/edit"
      done={{
        title: t('yourEmailHasBeenChanged'),
        text: t('signInWithNewEmail'),
      }}
      resolver={accountResolver('password')}
      send={send}
      submit={t('useThisEmail')}
    >
      {({ register, formState }) => (
        <PasswordField
          label={t('password')}
          autoComplete="current-password"
          error={formState.errors.password?.message}
          {...register('password')}
        />
      )}
    </PasswordLinkPage>
  )
}
