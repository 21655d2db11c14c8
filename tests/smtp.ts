import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail server on loopback that keeps every mail. */
export interface MailServer {
  /** For `SMTP_URL`. */
  readonly url: string
  /**
   * The oldest mail to this address that was not asked for yet; waits for it when there is none.
   *
   * @throws when none arrives within the time, 10 seconds if not given
   */
  nextMail(to: string, milliseconds?: number): Promise<Email>
  /** Every mail to this address so far, asked for or not. */
  mailsTo(to: string): readonly Email[]
  close(): Promise<void>
}

interface Box {
  readonly all: Email[]
  readonly unread: Email[]
  readonly waiting: ((mail: Email) => void)[]
}

/** @param atPort any that is free unless said otherwise */
export async function openMailServer(atPort = 0): Promise<MailServer> {
  const boxes = new Map<string, Box>()
  function box(address: string): Box {
    const key = address.toLowerCase()
    const found = boxes.get(key) ?? { all: [], unread: [], waiting: [] }
    boxes.set(key, found)
    return found
  }
  function deliver(to: string, mail: Email): void {
    const { all, unread, waiting } = box(to)
    all.push(mail)
    const next = waiting.shift()
    if (next) next(mail)
    else unread.push(mail)
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => {
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          for (const { address } of session.envelope.rcptTo) deliver(address, mail)
          done()
        }, done)
      })
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(atPort, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo

  return {
    url: `smtp://127.0.0.1:${port}`,
    nextMail(to, milliseconds = 10_000) {
      const { unread, waiting } = box(to)
      const mail = unread.shift()
      if (mail) return Promise.resolve(mail)
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.splice(waiting.indexOf(arrive), 1)
          reject(new Error(`no mail to ${to} within ${milliseconds} ms`))
        }, milliseconds)
        function arrive(found: Email): void {
          clearTimeout(late)
          resolve(found)
        }
        waiting.push(arrive)
      })
    },
    mailsTo: (to) => box(to).all,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
