import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useApi } from '#web/api/context.ts'
import { errorMessage, isApiError, ScreenError } from '#web/api/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { t } from '#web/i18n/entry.ts'

/**
 * Signs in with a passkey, whose code loads when it is pressed.
 *
 * @param props `mfaId` of the sign-in whose code it stands in for, absent for the passkey alone;
 *   `account`, the id of the only account that will do, absent for any
 */
export function PasskeySignIn(props: {
  mfaId?: string
  account?: string | undefined
  onDone: () => Promise<unknown>
}) {
  const { mfaId, account, onDone } = props
  const api = useApi()
  const enter = useMutation({
    mutationFn: async () => {
      const { isPasskeyCancelled, signInWithPasskey } = await import('#web/api/passkeys.ts')
      await signInWithPasskey(api, { mfaId, account }).catch((error: unknown) => {
        if (isApiError(error)) throw error
        throw new ScreenError(t(isPasskeyCancelled(error) ? 'passkeyNone' : 'passkeyFailed'))
      })
      await onDone()
    },
  })
  return (
    <div className="grid gap-3">
      {enter.error ? (
        <ErrorState title={t('loginError')} message={errorMessage(enter.error)} />
      ) : null}
      <Button
        size={mfaId ? undefined : 'lg'}
        variant={mfaId ? 'quiet' : undefined}
        className="w-full"
        icon={<KeyRound />}
        pending={enter.isPending}
        onClick={() => enter.mutate()}
      >
        {t(mfaId ? 'passkeyInstead' : 'passkeySignIn')}
      </Button>
    </div>
  )
}
