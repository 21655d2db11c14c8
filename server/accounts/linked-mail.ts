import type { Message } from '#server/mail/message.ts'
import { layOut } from '#server/mail/layout.ts'

/** The notice that an account elsewhere now signs in here, too. */
export function linkedMail(to: string, provider: string, expires: Date): Message {
  return layOut({
    to,
    expires,
    subject: `${provider} can now sign you in to Octavo`,
    lead: `Someone has just signed in to your account with the ${provider} account for this email.`,
    rest: [
      `You can now sign in with your password or with "Continue with ${provider}". If this wasn’t you, change your ${provider} password first, then your Octavo password.`,
    ],
  })
}
