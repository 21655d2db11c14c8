import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import {
  useForm,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form'
import { Link, useActionData, useLoaderData, useSearchParams } from 'react-router'
import type { Refusal } from '#web/api/act.ts'
import { checkSession } from '#web/api/account.ts'
import { useApi } from '#web/api/context.ts'
import { Button } from '#web/ui/button.tsx'
import { usePagePath } from '#web/ui/page-path.ts'
import { t } from '#web/i18n/entry.ts'
import { AccountForm } from './account-form.tsx'
import { AccountPage } from './account-page.tsx'
import { isRefusedLink, LinkResult, ExpiredLink, type loadLink } from './link-result.tsx'
import { useErrorsOf, refusalError } from './refusal.ts'
import type { SendPassword } from './account-actions.ts'
import { showFieldErrors } from './server-errors.ts'

interface LinkForm<Form extends FieldValues> {
  resolver: Resolver<Form>
  /** Whoever is signed in may not be after it. */
  send: SendPassword<Form>
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
  const posted = useActionData<{ face?: 'done' | 'expired' } & Refusal>() ?? {}
  const [face, setFace] = useState(isExpired ? 'expired' : (posted.face ?? 'form'))
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
      <PasswordOfLink {...form} token={token} refusal={posted} onFace={setFace} />
    </AccountPage>
  )
}

function PasswordOfLink<Form extends FieldValues>(
  props: LinkForm<Form> & {
    token: string
    refusal: Refusal
    onFace: (face: 'done' | 'expired') => void
  },
) {
  const { resolver, send, submit, children, token, refusal, onFace } = props
  const api = useApi()
  const queries = useQueryClient()
  const form = useForm<Form>({ resolver, errors: useErrorsOf<Form>(refusal) })
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
      action={usePagePath()}
      onSubmit={form.handleSubmit((values) => save.mutate(values))}
      error={
        form.getFieldState(password, form.formState).error
          ? null
          : (save.error ?? refusalError(refusal))
      }
      submit={submit}
      pending={save.isPending}
    >
      {children(form)}
    </AccountForm>
  )
}
