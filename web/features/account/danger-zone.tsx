import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { deleteAccount, resetEverything } from '#web/api/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { removeInactiveQueries } from '#web/api/session.ts'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/account.ts'
import { DownloadLinks } from './download-links.tsx'
import { SettingsRow, SettingsSection } from './settings-section.tsx'
import { LazyConfirmButton } from '#web/ui/lazy-confirm-button.tsx'

/** Actions that can't be undone. Readers can download everything before. */
export function DangerZone({ user }: { user: string }) {
  const reset = useReset()
  const remove = useDelete(user)
  return (
    <SettingsSection id="danger-zone" title={t('dangerZone')}>
      <p className="-mt-2 pb-3 text-sm text-ink-soft">{t('dangerZoneHint')}</p>
      <DangerousAction
        text={t('resetEverythingHint')}
        name={t('resetEverything')}
        question={t('resetEverythingQuestion')}
        onConfirm={reset}
      />
      <DangerousAction
        text={t('deleteAccountHint')}
        name={t('deleteAccount')}
        question={t('deleteAccountQuestion')}
        onConfirm={remove}
      />
    </SettingsSection>
  )
}

function DangerousAction(props: {
  text: string
  name: string
  question: string
  onConfirm: () => Promise<void>
}) {
  const { text, name, question, onConfirm } = props
  return (
    <SettingsRow
      title={name}
      hint={text}
      control={
        <LazyConfirmButton
          variant="danger"
          description={<Question>{question}</Question>}
          confirmLabel={name}
          onConfirm={onConfirm}
        >
          {name}
        </LazyConfirmButton>
      }
    />
  )
}

function Question({ children }: { children: ReactNode }) {
  return (
    <span className="grid gap-3">
      <span>{children}</span>
      <span className="font-medium text-ink">{t('downloadYourDataFirst')}</span>
      <DownloadLinks />
    </span>
  )
}

function useReset(): () => Promise<void> {
  const api = useApi()
  const queries = useQueryClient()
  return async () => {
    try {
      await resetEverything(api, queries)
      toast.success(t('success'))
    } catch (error) {
      toast.error(errorMessage(error))
      throw error
    }
  }
}

function useDelete(user: string): () => Promise<void> {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      await deleteAccount(api, queries, user)
    } catch (error) {
      toast.error(errorMessage(error))
      throw error
    }
    toast.success(t('accountDeleted'), { duration: 3000 })
    await navigate('/login')
    removeInactiveQueries(queries)
  }
}
