import type { Message } from '#server/mail/message.ts'
import { layOut } from '#server/mail/layout.ts'

/** The notice that an account elsewhere now signs in here, too. */
export function linkedMail(to: string, provider: string, expires: Date): Message {
  return layOut({
    to,
    expires,
    subject: `${provider} can now sign you in to Octavo`,
    lead: `Somebody who owns this address at ${provider} has just signed in to your account.`,
    rest: [
      `From now on "Continue with ${provider}" leads to the same shelves as your password. If it was not you, change the password of your ${provider} account first, and then the one here.`,
    ],
  })
}
