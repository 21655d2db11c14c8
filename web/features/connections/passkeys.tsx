import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fingerprint, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApi } from '#web/api/context.ts'
import { dataError, errorMessage } from '#web/api/errors.ts'
import { passkeysQuery, removePasskey, type Passkey } from '#web/api/passkeys.ts'
import { keys } from '#web/api/query-keys.ts'
import { rich, t } from '#web/i18n/connections.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { keepFocusInRows } from '#web/ui/keep-focus-in-rows.ts'
import { LazyConfirmButton } from '#web/ui/lazy-confirm-button.tsx'
import { useLazyDialog } from '#web/ui/lazy-dialog.ts'
import { Section } from '#web/ui/page-shell.tsx'
import { Ago, Day } from '#web/ui/timestamp.tsx'
import { toast } from '#web/ui/toast.tsx'

const loadAdd = async () => (await import('./passkey-dialog.tsx')).AddPasskeyDialog
const loadRename = async () => (await import('./passkey-dialog.tsx')).RenamePasskeyDialog

/** A reader's passkeys: adding, renaming and removing them. */
export function Passkeys({ user }: { user: string }) {
  const query = useQuery(passkeysQuery(useApi(), user))
  const { Dialog, round, state, button } = useLazyDialog(loadAdd)
  return (
    <Section title={t('passkeys')}>
      <p className="-mt-2 mb-4 text-sm text-ink-soft">{t('passkeysHint')}</p>
      {query.isError && !query.data ? <ErrorState {...dataError(query)} /> : null}
      {query.data?.length ? (
        <ul ref={keepFocusInRows} aria-label={t('passkeys')} className="border-t border-line">
          {query.data.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      ) : null}
      <Button icon={<Plus />} className={query.data?.length ? 'mt-4' : undefined} {...button}>
        {t('passkeyAdd')}
      </Button>
      {Dialog ? <Dialog key={round} {...state} /> : null}
    </Section>
  )
}

function Row({ passkey }: { passkey: Passkey }) {
  const { id, name } = passkey
  const api = useApi()
  const queries = useQueryClient()
  const { Dialog, round, state, button } = useLazyDialog(loadRename)
  async function remove(): Promise<void> {
    try {
      await removePasskey(api, id)
    } catch (error) {
      toast.error(errorMessage(error))
      throw error
    }
    await queries.invalidateQueries({ queryKey: keys.connections })
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <span className="grid size-11 shrink-0 place-items-center rounded-md bg-sunken text-ink-soft">
        <Fingerprint aria-hidden className="size-5" />
      </span>
      <div className="grid min-w-0 grow basis-40 gap-0.5">
        <h3 className="text-base font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </h3>
        <p className="text-sm text-ink-soft">
          <LastUse passkey={passkey} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button aria-label={t('passkeyRenameNamed', { name })} {...button}>
          {t('passkeyRename')}
        </Button>
        <LazyConfirmButton
          variant="danger"
          description={t('passkeyRemoveQuestion', { name })}
          confirmLabel={t('passkeyRemove')}
          onConfirm={remove}
        >
          {t('passkeyRemove')}
        </LazyConfirmButton>
      </div>
      {Dialog ? <Dialog key={round} passkey={passkey} {...state} /> : null}
    </li>
  )
}

function LastUse({ passkey: { created, used } }: { passkey: Passkey }): ReactNode {
  const day = <Day timestamp={created} />
  if (!used) return rich('passkeyUnused', { day })
  return rich('passkeyUsed', { ago: <Ago timestamp={used} />, day })
}
