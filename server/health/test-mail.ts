import { renderMail } from '#server/mail/layout.ts'
import { smtpTransport } from '#server/mail/smtp-transport.ts'

/**
 * Sends a test email at once, past the outbox.
 *
 * @throws the mail server's own error
 */
export async function sendTestMail(smtpUrl: string, mailFrom: string, to: string): Promise<void> {
  const post = smtpTransport(smtpUrl, mailFrom)
  try {
    await post.deliver(
      renderMail({
        to,
        subject: 'A test email from Octavo',
        expires: new Date(),
        lead: 'Octavo can send email.',
        rest: ['The administrator of this site sent this email to test the mail server.'],
      }),
    )
  } finally {
    post.close()
  }
}
