import { redirect } from 'react-router'
import type { ZodType } from 'zod'
import type { RecordService } from 'pocketbase'
import { forgotPasswordForm, loginForm, otpForm, signUpForm } from '#shared/account-forms.ts'
import { digitsOf } from '#shared/digits.ts'
import { targetAfterSignIn } from '#shared/origin.ts'
import { invitationParameter } from '#shared/sign-up.ts'
import { checkForm, FormError, serverAction, type ActInput, type Refusal } from '#web/api/act.ts'
import {
  confirmCode,
  createAccount,
  fieldsOfStep,
  resendCode,
  signIn,
  stepFields,
  stepOf,
  type SecondStep,
} from '#web/api/sign-in.ts'
import { codeRefusal } from './code-refusal.ts'
import { isRefusedLink } from './link-result.tsx'
import { accountFieldMessages } from './server-errors.ts'

/** Signing in, or up: first the password, then the code. */
export const signInAction = (isNew: boolean) =>
  serverAction(
    async (input): Promise<Response | Refusal> => {
      const { api, form, url } = input
      const { intent, otpId } = form
      const step = otpId
        ? await secondStep(api, form, intent === 'resend')
        : await firstStep(input, isNew)
      if (step) return { typed: fieldsOfStep(step) }
      return redirect(targetAfterSignIn(url.searchParams.get('origin'), isNew), 303)
    },
    { kept: stepFields, messagesOf: accountFieldMessages },
  )

async function firstStep({ api, form, url }: ActInput, isNew: boolean): Promise<SecondStep | null> {
  const account = checkForm(isNew ? signUpForm : loginForm, form)
  const invitation = url.searchParams.get(invitationParameter) ?? undefined
  if (isNew) await createAccount(api, { ...account, invitation })
  return signIn(api, account)
}

async function secondStep(
  api: ActInput['api'],
  form: ActInput['form'],
  isResend: boolean,
): Promise<SecondStep | null> {
  const step = stepOf(form)!
  if (isResend) return resendCode(api, step)
  const { code } = checkForm(otpForm, { code: digitsOf(form['code'] ?? '') })
  try {
    await confirmCode(api, step, { code, trustDevice: 'trustDevice' in form })
  } catch (error) {
    throw new FormError({ code: codeRefusal(error) })
  }
  return null
}

/** Asking for the link to a new password. */
export const forgotPasswordAction = serverAction(
  async ({ api, form }): Promise<{ sentTo: string } & Refusal> => {
    const { email } = checkForm(forgotPasswordForm, form)
    await api.collection('users').requestPasswordReset(email)
    return { sentTo: email }
  },
  { kept: ['email'] },
)

/** Sends the password that the page of a mailed link asks for. */
export type SendPassword<Form> = (
  users: RecordService,
  token: string,
  form: Form,
) => Promise<unknown>

/** The form of a mailed link. */
export const linkAction = <Form>(schema: ZodType<Form>, send: SendPassword<Form>) =>
  serverAction(
    async ({ api, form, url }): Promise<{ face: 'done' | 'expired' } & Refusal> => {
      const values = checkForm(schema, form)
      const token = url.searchParams.get('token') ?? ''
      try {
        await send(api.collection('users'), token, values)
      } catch (error) {
        if (isRefusedLink(error)) return { face: 'expired' }
        throw error
      }
      return { face: 'done' }
    },
    { messagesOf: accountFieldMessages },
  )
