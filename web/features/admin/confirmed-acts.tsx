import { useMutation, useQueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { createContext, useContext, useId, useMemo, useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { confirmPassword, needsConfirmation } from '#web/api/admin.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, fieldMessages } from '#web/api/errors.ts'
import { keys } from '#web/api/query-keys.ts'
import { useSession } from '#web/api/session.ts'
import { t } from '#web/i18n/admin.ts'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { SubmitFooter } from '#web/ui/submit-footer.tsx'
import { toast } from '#web/ui/toast.tsx'

/** The administrator closed the question for the password. */
class NotConfirmedError extends Error {}

interface Question {
  confirmed: () => void
  closed: (reason: NotConfirmedError) => void
}

type Run = <T>(act: () => Promise<T>) => Promise<T>
const RunContext = createContext<Run>((act) => act())

/** Asks for the password where an act below it needs it, and then does the act. */
export function ConfirmedActs({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>()
  const run = useMemo<Run>(
    () => async (act) => {
      try {
        return await act()
      } catch (error) {
        if (!needsConfirmation(error)) throw error
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      setQuestion({ confirmed: resolve, closed: reject })
      await promise
      return act()
    },
    [],
  )
  function answer(isConfirmed: boolean): void {
    setQuestion(undefined)
    if (isConfirmed) question?.confirmed()
    else question?.closed(new NotConfirmedError())
  }
  return (
    <RunContext value={run}>
      {children}
      {question ? <PasswordQuestion onAnswer={answer} /> : null}
    </RunContext>
  )
}

/**
 * Something that changes the site. Afterwards all sections are fetched again.
 *
 * @param call what to do
 * @param done called with its answer
 */
export function useAct<T>(
  call: (api: PocketBase) => Promise<T>,
  done: (answer: T) => void = () => undefined,
) {
  const api = useApi()
  const queries = useQueryClient()
  const run = useContext(RunContext)
  return useMutation({
    mutationFn: () => run(() => call(api)),
    onSuccess: done,
    onError(error) {
      if (!(error instanceof NotConfirmedError)) toast.error(errorMessage(error))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keys.admin }),
  })
}

function PasswordQuestion({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const api = useApi()
  const formId = useId()
  const email = useSession()?.user.email ?? ''
  const field = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const confirm = useMutation({
    mutationFn: () => confirmPassword(password)(api),
    onSuccess: () => onAnswer(true),
  })
  const isWrong = confirm.isError && 'password' in fieldMessages(confirm.error)
  const problem = isWrong ? t('wrongPassword') : confirm.isError ? errorMessage(confirm.error) : ''
  return (
    <Dialog
      open
      size="sm"
      firstFocus={field}
      onOpenChange={(isOpen) => (isOpen ? undefined : onAnswer(false))}
      title={t('confirmTitle')}
      description={t('confirmHint')}
      footer={
        <SubmitFooter formId={formId} pending={confirm.isPending}>
          {t('confirm')}
        </SubmitFooter>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!confirm.isPending) confirm.mutate()
        }}
      >
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          ref={field}
          label={t('password')}
          autoComplete="current-password"
          value={password}
          error={problem || undefined}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <p className="text-sm">
          <TextLink tone="soft" asChild>
            <Link to="/auth/forgot-password">{t('noPassword')}</Link>
          </TextLink>
        </p>
      </form>
    </Dialog>
  )
}
