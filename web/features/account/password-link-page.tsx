import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RecordService } from 'pocketbase'
import { useState, type ReactNode } from 'react'
import {
  useForm,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form'
import { Link, useLoaderData, useSearchParams } from 'react-router'
import { checkSession } from '#web/api/account.ts'
import { useApi } from '#web/api/context.ts'
import { Button } from '#web/ui/button.tsx'
import { t } from '#web/i18n/entry.ts'
import { AccountForm } from './account-form.tsx'
import { AccountPage } from './account-page.tsx'
import { isRefusedLink, LinkResult, ExpiredLink, type loadLink } from './link-result.tsx'
import { showFieldErrors } from './server-errors.ts'

interface LinkForm<Form extends FieldValues> {
  resolver: Resolver<Form>
  /** Gives the form and the link's token to the accounts; whoever is signed in may not be after it. */
  send: (users: RecordService, token: string, form: Form) => Promise<unknown>
  submit: string
  children: (form: UseFormReturn<Form>) => ReactNode
}

/** The screen behind a mailed link that asks for a password: its form, until it is sent or the link has expired. */
export function PasswordLinkPage<Form extends FieldValues>(
  props: LinkForm<Form> & {
    title: string
    description: string
    /** The path for requesting another link. */
    again: string
    done: { title: string; text: string }
  },
) {
  const { title, description, again, done, ...form } = props
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const { isExpired } = useLoaderData<typeof loadLink>()
  const [face, setFace] = useState<'form' | 'done' | 'expired'>(isExpired ? 'expired' : 'form')
  if (face === 'expired') return <ExpiredLink again={{ label: t('askForANewLink'), to: again }} />
  if (face === 'done')
    return (
      <LinkResult
        title={done.title}
        action={
          <Button variant="primary" size="lg" asChild>
            <Link to="/login">{t('login')}</Link>
          </Button>
        }
      >
        {done.text}
      </LinkResult>
    )
  return (
    <AccountPage title={title} description={description}>
      <PasswordOfLink {...form} token={token} onFace={setFace} />
    </AccountPage>
  )
}

function PasswordOfLink<Form extends FieldValues>(
  props: LinkForm<Form> & { token: string; onFace: (face: 'done' | 'expired') => void },
) {
  const { resolver, send, submit, children, token, onFace } = props
  const api = useApi()
  const queries = useQueryClient()
  const form = useForm<Form>({ resolver })
  const password = 'password' as Path<Form>
  const save = useMutation({
    mutationFn: async (values: Form) => {
      await send(api.collection('users'), token, values)
      await checkSession(api, queries)
    },
    onSuccess: () => onFace('done'),
    onError: (error) => {
      if (isRefusedLink(error)) onFace('expired')
      else showFieldErrors(error, [password], form.setError)
    },
  })
  return (
    <AccountForm
      onSubmit={form.handleSubmit((values) => save.mutate(values))}
      error={form.getFieldState(password, form.formState).error ? null : save.error}
      submit={submit}
      pending={save.isPending}
    >
      {children(form)}
    </AccountForm>
  )
}
