import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nanoid } from 'nanoid'
import type { Logger } from 'pino'
import type { Message, MailTransport } from './message.ts'

/** The folder of mails on a site without SMTP, one file each. */
const mailFolder = (dataDir: string) => join(dataDir, 'mail')

/** Writes each mail to a file and its subject, which includes the code, to the log. */
export function fileTransport(dataDir: string, from: string, log: Logger): MailTransport {
  const folder = mailFolder(dataDir)
  return {
    async deliver({ to, subject, text, html, code }: Message) {
      const [link] = /^https?:\/\/\S+$/m.exec(text) ?? []
      // Loaded with the first mail, to save memory.
      const { createTransport } = await import('nodemailer')
      const headers = {
        ...(code && { 'X-Octavo-Code': code }),
        // Prepared, so that the link isn't folded into lines.
        ...(link && { 'X-Octavo-Link': { prepared: true, value: link } }),
      }
      const address = { name: '', address: to }
      const transport = createTransport({ streamTransport: true, buffer: true })
      const mail = await transport.sendMail({ from, to: address, subject, text, html, headers })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // The name sorts by time; the rename makes the file appear complete.
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${nanoid(8)}.eml`
      const temporary = join(folder, `.${name}`)
      await writeFile(temporary, mail.message as Buffer, { mode: 0o600 })
      await rename(temporary, join(folder, name))
      // The subject of a mail with a code includes the code.
      log.info(`Email to ${to}: ${subject} (${join(folder, name)})`)
    },
    close: () => undefined,
  }
}

/** How long mail files are kept, in milliseconds, and how many. */
const mailFileLimits = { life: 30 * 24 * 3_600_000, atMost: 1000 }

/** A mail file, or a crash's leftover; its name is the time it was written. */
const mailName = /^\.?(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-([\d.]+Z)-[\w-]+\.eml$/

/**
 * Deletes mail files beyond {@link mailFileLimits}, oldest first.
 *
 * @param now milliseconds
 * @returns the number deleted
 */
export async function sweepStoredMails(dataDir: string, now = Date.now()): Promise<number> {
  const mails = (await storedNames(dataDir)).flatMap((name) => {
    const [, day, hour, minute, second] = mailName.exec(name) ?? []
    return day ? [{ name, time: Date.parse(`${day}${hour}:${minute}:${second}`) }] : []
  })
  const newestFirst = mails.toSorted((a, b) => b.time - a.time)
  const over = newestFirst.filter(
    ({ time }, place) => place >= mailFileLimits.atMost || now - time > mailFileLimits.life,
  )
  for (const { name } of over) await rm(join(mailFolder(dataDir), name), { force: true })
  return over.length
}

/**
 * Deletes the mail files to an address.
 *
 * @returns the number deleted
 */
export async function deleteStoredMails(dataDir: string, to: string): Promise<number> {
  let deleted = 0
  for (const name of await storedNames(dataDir)) {
    const path = join(mailFolder(dataDir), name)
    // Another process may have deleted it.
    const source = await readFile(path).catch(() => undefined)
    if (!source || toStoredMail(source).to.toLowerCase() !== to) continue
    await rm(path, { force: true })
    deleted++
  }
  return deleted
}

async function storedNames(dataDir: string): Promise<string[]> {
  return readdir(mailFolder(dataDir)).catch((error: NodeJS.ErrnoException) => {
    // The folder is created with the first mail.
    if (error.code === 'ENOENT') return []
    throw error
  })
}

export interface StoredMail {
  to: string
  subject: string
  date: Date
  code: string
  /** The mail's link; '' for none. */
  link: string
}

/** The newest mails of the folder, newest first. */
export async function listStoredMails(dataDir: string, limit: number): Promise<StoredMail[]> {
  const folder = mailFolder(dataDir)
  const newest = (await storedNames(dataDir))
    .filter((name) => !name.startsWith('.') && name.endsWith('.eml'))
    .toSorted()
    .slice(-limit)
    .toReversed()
  return Promise.all(newest.map(async (name) => toStoredMail(await readFile(join(folder, name)))))
}

/** Reads only headers that this module wrote, which are ASCII and unfolded. */
function toStoredMail(source: Buffer): StoredMail {
  const head =
    source
      .toString('latin1')
      .split('\r\n\r\n', 1)[0]
      ?.replace(/\r\n[ \t]+/g, ' ') ?? ''
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  return {
    to: header('To'),
    subject: header('Subject'),
    date: new Date(header('Date')),
    code: header('X-Octavo-Code'),
    link: header('X-Octavo-Link'),
  }
}
