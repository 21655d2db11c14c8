import type { QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { data, redirect, type ActionFunctionArgs, type Params } from 'react-router'
import type { ZodType } from 'zod'
import { currentLanguage } from '#web/i18n/language.ts'
import { issueMessage } from '#web/i18n/rules.ts'
import { actionApiContext, queriesContext } from './context.ts'
import { errorMessage, fieldMessages, isApiError, isSignedOut } from './errors.ts'
import { loginPath } from './session.ts'

/** The arguments of a screen's action. */
export interface ActInput {
  /** Calls the API as whoever sent the form, by its rules and limits. */
  api: PocketBase
  /** The fields by name. */
  form: Readonly<Record<string, string>>
  url: URL
  params: Params
  /** The queries of the page: what they have is as it was before the form. */
  queries: QueryClient
}

/** What the page of a refused form shows again. */
export interface Refusal {
  /** A sentence per field. */
  wrong?: Readonly<Record<string, string>>
  /** A sentence that belongs to no field. */
  message?: string
  /** What was typed, but for passwords. */
  typed?: Readonly<Record<string, string>>
}

interface ActOptions {
  kept?: readonly string[]
  messagesOf?: typeof fieldMessages
}

/** Does what a form asks for; answers with a redirect, or with what its page shows. */
type Act<Shown extends Refusal> = (input: ActInput) => Promise<Response | Shown>

/** Thrown by an action for a form that needs no call to be refused. */
export class FormError extends Error {
  readonly wrong: Readonly<Record<string, string>>
  constructor(wrong: Readonly<Record<string, string>>) {
    super('refused form')
    this.wrong = wrong
  }
}

/**
 * The action of forms that are sent without scripts, or before they have loaded. It runs in the
 * server; with scripts the same forms call the API themselves.
 *
 * @param options.kept the fields that a refused form shows again
 * @param options.messagesOf what the API says about single fields
 */
export function serverAction<Shown extends Refusal>(
  act: Act<Shown>,
  { kept, messagesOf = fieldMessages }: ActOptions = {},
) {
  return async ({ context, request, url, params }: ActionFunctionArgs) => {
    const api = context.get(actionApiContext)
    api.lang = currentLanguage()
    // What is no form has no fields.
    const form = textOf(await request.formData().catch(() => new FormData()))
    try {
      return await act({ api, form, url, params, queries: context.get(queriesContext) })
    } catch (error) {
      const typed = kept && Object.fromEntries(kept.map((name) => [name, form[name] ?? '']))
      const refusal = refusalOf(error, messagesOf)
      return data<Refusal>({ ...(typed && { typed }), ...refusal }, { status: statusOf(error) })
    }
  }
}

/**
 * Does what a form of a reader asks for.
 *
 * @returns the redirect to the page that `act` names, or to the sign-in and back if the session is over
 */
export async function actAsReader(url: URL, act: () => Promise<string>): Promise<Response> {
  try {
    return redirect(await act(), 303)
  } catch (error) {
    if (!isSignedOut(error)) throw error
    return redirect(loginPath(url.pathname + url.search), 303)
  }
}

/**
 * Checks a form as its screen does.
 *
 * @throws FormError with a sentence per field
 */
export function checkForm<Output>(schema: ZodType<Output>, form: ActInput['form']): Output {
  const { data: values, error } = schema.safeParse(form)
  if (!error) return values
  const wrong: Record<string, string> = {}
  for (const issue of error.issues) wrong[issue.path.join('.')] ??= issueMessage(issue)
  throw new FormError(wrong)
}

function refusalOf(error: unknown, messagesOf: typeof fieldMessages): Refusal {
  if (error instanceof FormError) return { wrong: error.wrong }
  if (!isApiError(error)) throw error
  const wrong = messagesOf(error)
  return Object.keys(wrong).length > 0 ? { wrong } : { message: errorMessage(error) }
}

const statusOf = (error: unknown) => (isApiError(error) && error.status ? error.status : 400)

function textOf(form: FormData): Record<string, string> {
  const fields = [...form].filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  )
  return Object.fromEntries(fields)
}
