import type * as z from 'zod'
import type { passwordForm } from '#shared/account-forms.ts'
import { lazyResolver } from '#web/features/account/lazy-resolver.ts'
import { loadLink } from '#web/features/account/link-result.tsx'
import { PasswordLinkPage } from '#web/features/account/password-link-page.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { t } from '#web/i18n/entry.ts'

export const loader = loadLink

export const meta = () => [{ title: `${t('confirmYourNewEmail')} | Octavo` }]

export default function ConfirmEmailChangeScreen() {
  return (
    <PasswordLinkPage<z.infer<typeof passwordForm>>
      title={t('confirmYourNewEmail')}
      description={t('enterPasswordForNewEmail')}
      again="/account/edit"
      done={{
        title: t('yourEmailHasBeenChanged'),
        text: t('signInWithNewEmail'),
      }}
      resolver={lazyResolver('password')}
      send={(users, token, { password }) => users.confirmEmailChange(token, password)}
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
