import type { Message, MailTransport } from './message.ts'

/**
 * Sends mails to an SMTP server over a few open connections. Servers keep clients waiting for the
 * greeting, against spam, and for the answer to a mail, which they check.
 */
export function smtpTransport(
  url: string,
  from: string,
): MailTransport & { verify(): Promise<void> } {
  let opening: ReturnType<typeof open> | undefined
  /** Loaded with the first mail, to save memory. */
  async function open() {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      pool: true,
      maxConnections: 4,
      // From looking up its name to the end of STARTTLS.
      connectionTimeout: 60_000,
      greetingTimeout: 45_000,
      socketTimeout: 60_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  return {
    async deliver({ to, subject, text, html }: Message) {
      const transport = await (opening ??= open())
      await transport.sendMail({
        from,
        // An object, so that no address can be parsed as two.
        to: { name: '', address: to },
        subject,
        text,
        html,
        // Suppresses out-of-office replies (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    /** @throws if the server can't be reached or refuses our account */
    async verify() {
      const transport = await (opening ??= open())
      await transport.verify()
    },
    close: () => void opening?.then((transport) => transport.close()),
  }
}
