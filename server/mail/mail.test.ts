import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '#records/index.ts'
import { otpMail } from '#server/accounts/otp-mail.ts'
import { accountMail } from '#server/accounts/account-mail.ts'
import { otp } from '#shared/account.ts'
import { describeMigratedDatabases } from '#tests/databases.ts'
import { openMailServer } from '#tests/smtp.ts'
import { sweepStoredMails } from './file-transport.ts'
import { createMail } from './mail.ts'
import type { Message, MailTransport } from './message.ts'
import { mailbox, mailboxLink } from './mailbox.ts'
import { isCodeLate, openOutbox } from './outbox.ts'

const silent = pino({ level: 'silent' })

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-mail-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const waiting = async (database: Database) =>
  Number((await database.query('SELECT COUNT(*) FROM outbox'))[0]?.[0])

/** Waits until the outbox is empty, by asking it. */
async function sent(database: Database): Promise<void> {
  await expect.poll(() => waiting(database)).toBe(0)
}

describe('mails that became files', () => {
  const noon = '2026-03-14T12-00-00.000Z'
  const now = Date.parse('2026-03-14T12:00:00.000Z')

  /** A data folder with these files among its mails, and what a sweep leaves of them. */
  async function swept(names: readonly string[]): Promise<string[]> {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'mail'))
    for (const name of names) writeFileSync(join(folder, 'mail', name), '')
    await sweepStoredMails(folder, now)
    return readdirSync(join(folder, 'mail')).toSorted()
  }

  test('are removed after 30 days, and nothing else is', async () => {
    const kept = [
      'notes-of-the-operator.eml',
      '2026-02-12T12-00-00.001Z-kept.eml',
      `${noon}-just-now.eml`,
    ]
    const old = ['2026-02-12T11-59-59.999Z-old.eml', '.2025-01-01T00-00-00.000Z-half.eml']
    expect(await swept([...kept, ...old])).toEqual(kept.toSorted())
  })

  test('are a thousand at most, the newest', async () => {
    const second = (number: number) => new Date(now - number * 1000).toISOString()
    const names = Array.from({ length: 1002 }, (_, number) => {
      return `${second(number).replaceAll(':', '-')}-mail.eml`
    })
    expect(await swept(names)).toEqual(names.slice(0, 1000).toSorted())
  })

  test('need no folder to be swept', async () => {
    expect(await sweepStoredMails(temporaryFolder(), now)).toBe(0)
  })
})

describeMigratedDatabases('mail', (open) => {
  /** A machine whose mails become files, what it logs, and its page that shows them. */
  async function withoutSmtp() {
    const database = await open()
    const logged: string[] = []
    const log = pino({ level: 'info' }, { write: (line) => void logged.push(line) })
    const mailFrom = 'Octavo <o@localhost>'
    const config = { smtpUrl: undefined, mailFrom, dataDir: temporaryFolder() }
    return {
      mail: createMail(config, database, log),
      logged,
      delivered: () => sent(database),
      askPage: () => {
        const [, key = ''] = mailboxLink(config, secret)?.split('=') ?? []
        const local = { ...config, appUrl: 'http://localhost:3000' }
        return askMailbox(local, '/mailbox', { Cookie: `octavo_mailbox=${key}` })
      },
    }
  }

  test('the code arrives by SMTP, as text and as HTML', async () => {
    const office = await openMailServer()
    onTestFinished(() => office.close())
    const database = await open()
    const config = { smtpUrl: office.url, mailFrom: 'Octavo <o@example.org>', dataDir: '/nowhere' }
    const mail = createMail(config, database, silent)
    await mail.send(otpMail('reader@example.org', '042317', new Date()))
    const got = await office.nextMail('reader@example.org')
    expect(got.subject).toBe('Your Octavo code is 042317')
    expect(got.from).toEqual({ name: 'Octavo', address: 'o@example.org' })
    expect(got.text).toContain('Your code: 042317')
    expect(got.text).toContain('expires in 3 minutes')
    expect(got.html).toContain('042317')
    expect(got.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
    await sent(database)
    await mail.close()
  })

  test('without SMTP the mail is a file, and the mailbox shows it', async () => {
    const { mail, logged, delivered, askPage } = await withoutSmtp()
    await mail.send(otpMail('reader@example.org', '042317', new Date()))
    await delivered()
    expect(logged.join('').match(/042317/g)).toHaveLength(1)
    const page = await askPage()
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toContain('042317</output>')
    expect(html).toContain('to reader@example.org')
    await mail.close()
  })

  test('a mail with a link is opened from the mailbox, and its link is not logged', async () => {
    const { mail, logged, delivered, askPage } = await withoutSmtp()
    const token = 'x.y'.repeat(150)
    const url = `http://localhost:3000/auth/reset-password?token=${token}`
    const about = { to: 'reader@example.org', collection: 'users', record: { id: 'r' }, token }
    const expires = new Date(Date.now() + 60_000)
    await mail.send(
      accountMail(
        { ...about, kind: 'passwordReset', expires },
        'http://localhost:3000',
        new Date(),
      ),
    )
    await delivered()
    const page = await askPage()
    expect(await page.text()).toContain(`<a href="${url}">Open its link</a>`)
    expect(logged.join('')).toContain('Set a new password')
    expect(logged.join('')).not.toContain('token')
    await mail.close()
  })

  test('R17: retries a mail that cannot be delivered, and answers meanwhile', async () => {
    const database = await open()
    const tries: string[] = []
    let clock = Date.now()
    const transport: MailTransport = {
      async deliver({ code }) {
        tries.push(code)
        if (tries.length === 1) throw new Error('421 try later')
      },
      close: () => undefined,
    }
    const box = openOutbox(database, transport, silent, { now: () => clock })
    await box.send(message('111111', clock + 180_000))
    await expect.poll(() => tries).toHaveLength(1)
    await expect.poll(() => attempts(database)).toBe(1)
    expect(await isCodeLate(database, 'reader@example.org')).toBe(true)
    clock += 2_000
    await box.send(message('222222', clock + 180_000, 'other@example.org'))
    await sent(database)
    expect(await isCodeLate(database, 'reader@example.org')).toBe(false)
    expect(tries.toSorted()).toEqual(['111111', '111111', '222222'])
    await box.close()
  })

  test('a mail that a clock ahead by days has put off goes out once the clock is right', async () => {
    const database = await open()
    const ahead = Date.now() + 3 * 86_400_000
    const away: MailTransport = {
      deliver: () => Promise.reject(new Error('421 try later')),
      close: () => undefined,
    }
    const before = openOutbox(database, away, silent, { now: () => ahead })
    await before.send(message('111111', ahead + 180_000))
    await expect.poll(() => attempts(database)).toBe(1)
    await before.close()
    const delivered: string[] = []
    const works: MailTransport = {
      deliver: async ({ code }) => void delivered.push(code),
      close: () => undefined,
    }
    const box = openOutbox(database, works, silent)
    await sent(database)
    expect(delivered).toEqual(['111111'])
    await box.close()
  })

  test('an address that refuses mail does not delay others', async () => {
    const database = await open()
    const tries: string[] = []
    const delivered: string[] = []
    const transport: MailTransport = {
      async deliver({ to }) {
        tries.push(to)
        if (to === 'bounces@example.org')
          throw Object.assign(new Error('450 mailbox busy'), { code: 'EENVELOPE' })
        delivered.push(to)
      },
      close: () => undefined,
    }
    const clock = Date.now()
    const box = openOutbox(database, transport, silent, { now: () => clock })
    await box.send(message('111111', clock + 180_000, 'bounces@example.org'))
    await expect.poll(() => attempts(database)).toBe(1)
    await box.send(message('222222', clock + 180_000))
    await expect.poll(() => waiting(database)).toBe(1)
    expect(delivered).toEqual(['reader@example.org'])
    // Nor is it tried again with each mail that goes.
    await box.send(message('333333', clock + 180_000))
    await expect.poll(() => waiting(database)).toBe(1)
    expect(tries.filter((to) => to === 'bounces@example.org')).toHaveLength(1)
    expect(await isCodeLate(database, 'bounces@example.org')).toBe(true)
    expect(await isCodeLate(database, 'reader@example.org')).toBe(false)
    await box.close()
  })

  test('once a new mail goes, those that waited for the mail server follow at once', async () => {
    const database = await open()
    let isAway = true
    const codes: string[] = []
    const transport: MailTransport = {
      async deliver({ code }) {
        if (isAway) throw Object.assign(new Error('connect'), { code: 'ECONNECTION' })
        codes.push(code)
      },
      close: () => undefined,
    }
    // It stands: what is due later by it is never due.
    const clock = Date.now()
    const box = openOutbox(database, transport, silent, { now: () => clock })
    for (const code of ['111111', '222222'])
      await box.send(message(code, clock + 180_000, `${code}@example.org`))
    await expect.poll(() => tried(database)).toBe(2)
    isAway = false
    await box.send(message('333333', clock + 180_000))
    await sent(database)
    expect(codes[0]).toBe('333333')
    expect(codes.toSorted()).toEqual(['111111', '222222', '333333'])
    await box.close()
  })

  test('a new mail is tried before those that failed already', async () => {
    const database = await open()
    const away: MailTransport = {
      deliver: () => Promise.reject(new Error('no')),
      close: () => undefined,
    }
    let clock = Date.now()
    const before = openOutbox(database, away, silent, { now: () => clock })
    await before.send(message('111111', clock + 180_000))
    await expect.poll(() => attempts(database)).toBe(1)
    await before.close()
    clock += 2_000
    await before.send(message('222222', clock + 180_000, 'other@example.org'))
    const codes: string[] = []
    const transport: MailTransport = {
      deliver: async ({ code }) => void codes.push(code),
      close: () => undefined,
    }
    const after = openOutbox(database, transport, silent, { now: () => clock })
    await sent(database)
    expect(codes).toEqual(['222222', '111111'])
    await after.close()
  })

  test('a clock that is set back by a year does not keep the outbox busy', async () => {
    const database = await open()
    const warnings: string[] = []
    const hear = ({ name }: Error) => warnings.push(name)
    process.on('warning', hear)
    onTestFinished(() => void process.off('warning', hear))
    let clock = Date.now()
    const codes: string[] = []
    const transport: MailTransport = {
      async deliver({ code }) {
        if (code === '111111') throw new Error('421 try later')
        codes.push(code)
      },
      close: () => undefined,
    }
    const box = openOutbox(database, transport, silent, { now: () => clock })
    await box.send(message('111111', clock + 180_000, 'other@example.org'))
    await expect.poll(() => attempts(database)).toBe(1)
    clock -= 365 * 86_400_000
    await box.send(message('222222', clock + 180_000))
    await expect.poll(() => attempts(database)).toBe(2)
    expect([codes, warnings]).toEqual([['222222'], []])
    await box.close()
  })

  test('a new code goes out in place of one that is still waiting', async () => {
    const database = await open()
    let isAway = true
    const codes: string[] = []
    const transport: MailTransport = {
      async deliver({ code }) {
        if (isAway) throw new Error('421 try later')
        codes.push(code)
      },
      close: () => undefined,
    }
    let clock = Date.now()
    const box = openOutbox(database, transport, silent, { now: () => clock })
    await box.send(message('111111', clock + 180_000))
    await expect.poll(() => attempts(database)).toBe(1)
    isAway = false
    clock += 2_000
    await box.send(message('222222', clock + 180_000))
    await sent(database)
    expect(codes).toEqual(['222222'])
    await box.close()
  })

  test('drops a mail once it has expired', async () => {
    const database = await open()
    const transport: MailTransport = {
      deliver: () => Promise.reject(new Error('no')),
      close: () => undefined,
    }
    let clock = Date.now()
    const box = openOutbox(database, transport, silent, { now: () => clock })
    await box.send(message('111111', clock + 180_000))
    await expect.poll(() => attempts(database)).toBe(1)
    expect(await waiting(database)).toBe(1)
    clock += 180_001
    await sent(database)
    // There is no time for another try.
    await box.send(message('222222', clock + 500))
    await sent(database)
    await box.close()
  })

  test('sends unsent mail after the next start', async () => {
    const database = await open()
    const hung: MailTransport = {
      deliver: () => Promise.reject(new Error('no')),
      close: () => undefined,
    }
    let clock = Date.now()
    const before = openOutbox(database, hung, silent, { now: () => clock })
    await before.send(message('111111', clock + 180_000))
    await expect.poll(() => attempts(database)).toBe(1)
    await before.close()
    clock += 2_000
    const codes: string[] = []
    const transport: MailTransport = {
      deliver: async ({ code }) => void codes.push(code),
      close: () => undefined,
    }
    const after = openOutbox(database, transport, silent, { now: () => clock })
    await sent(database)
    expect(codes).toEqual(['111111'])
    await after.close()
  })

  test('two processes send a mail once', async () => {
    const database = await open()
    const codes: string[] = []
    const transport: MailTransport = {
      deliver: async ({ code }) => void codes.push(code),
      close: () => undefined,
    }
    const boxes = [openOutbox(database, transport, silent), openOutbox(database, transport, silent)]
    const wanted = Array.from({ length: 20 }, (_, i) => String(100_000 + i))
    await Promise.all(
      wanted.map(async (code, i) =>
        boxes[i % 2]?.send(message(code, Date.now() + 180_000, `${code}@example.org`)),
      ),
    )
    await sent(database)
    await Promise.all(boxes.map((box) => box.close()))
    expect(codes.toSorted()).toEqual(wanted)
  })

  test('a mail that takes longer than a claim is left to the process that delivers it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const database = await open()
    let clock = Date.now()
    const now = () => clock
    const codes: string[] = []
    let finish: () => void = () => undefined
    const slow: MailTransport = {
      deliver: async ({ code }) => {
        codes.push(code)
        await new Promise<void>((resolve) => (finish = resolve))
      },
      close: () => undefined,
    }
    const one = openOutbox(database, slow, silent, { now })
    await one.send(message('111111', clock + 180_000))
    await expect.poll(() => codes).toHaveLength(1)
    expect(await isCodeLate(database, 'reader@example.org', clock)).toBe(false)
    // A clock that was ahead, and has been set right.
    expect(await isCodeLate(database, 'reader@example.org', clock - 86_400_000)).toBe(true)
    const due = async () => String((await database.query('SELECT due FROM outbox'))[0]?.[0])
    for (let seconds = 0; seconds < 90; seconds += 30) {
      clock += 30_000
      vi.advanceTimersByTime(20_000)
      await expect.poll(due).toBe(new Date(clock + 60_000).toISOString())
    }
    expect(await isCodeLate(database, 'reader@example.org', clock)).toBe(true)
    const fast: MailTransport = { ...slow, deliver: async ({ code }) => void codes.push(code) }
    const other = openOutbox(database, fast, silent, { now })
    await other.send(message('222222', clock + 180_000, 'other@example.org'))
    await expect.poll(() => codes).toEqual(['111111', '222222'])
    finish()
    await sent(database)
    expect(codes).toEqual(['111111', '222222'])
    await Promise.all([one.close(), other.close()])
  })

  test('R17: answers while the mail server does not', async () => {
    const database = await open()
    const hole = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void hole.close())
    await new Promise((resolve) => hole.once('listening', resolve))
    const smtpUrl = `smtp://127.0.0.1:${(hole.address() as AddressInfo).port}`
    const mail = createMail({ smtpUrl, mailFrom: 'o@example.org', dataDir: '' }, database, silent)
    // Nobody ever answers there: were this waiting for it, it would wait until the mail is useless.
    await mail.send(message('111111', Date.now() + 180_000))
    expect(await waiting(database)).toBe(1)
    await mail.close()
  })
})

function message(code: string, expires: number, to = 'reader@example.org'): Message {
  return otpMail(to, code, new Date(expires - otp.delivery * 1000))
}

/** How many mails were tried in vain. */
async function tried(database: Database): Promise<number> {
  const [row] = await database.query('SELECT COUNT(*) FROM outbox WHERE attempts > 0')
  return Number(row?.[0])
}

async function attempts(database: Database): Promise<number> {
  return Number((await database.query('SELECT MAX(attempts) FROM outbox'))[0]?.[0])
}

const secret = 'a secret of thirty-two characters'

function askMailbox(
  config: Parameters<typeof mailbox>[0],
  link = mailboxLink(config, secret),
  headers: Record<string, string> = {},
): Response | Promise<Response> {
  const app = new Hono().get('/mailbox', mailbox(config, secret))
  return app.request(`${config.appUrl}${link}`, { headers })
}

test('R44: the mailbox is there for whoever has its key and nobody else', async () => {
  const dataDir = temporaryFolder()
  const local = { appUrl: 'https://books.example.org', smtpUrl: undefined, dataDir }
  const opened = await askMailbox(local)
  expect([opened.status, opened.headers.get('location')]).toEqual([303, '/mailbox'])
  const [cookie = ''] = opened.headers.get('set-cookie')?.split(';') ?? []
  expect(opened.headers.get('set-cookie')).toMatch(
    /; Path=\/mailbox; HttpOnly; Secure; SameSite=Lax$/,
  )
  const empty = await askMailbox(local, '/mailbox', { Cookie: cookie })
  expect(empty.status).toBe(200)
  expect(empty.headers.get('cache-control')).toBe('no-store')
  expect(await empty.text()).toContain('No emails yet')

  const key = cookie.split('=')[1]!
  expect(mailboxLink(local, secret)).toBe(`/mailbox?key=${key}`)
  expect(mailboxLink(local, `${secret}.`)).not.toContain(key)
  const refused = [
    askMailbox({ ...local, smtpUrl: 'smtp://mail.example.org' }, `/mailbox?key=${key}`),
    askMailbox(local, '/mailbox'),
    askMailbox(local, `/mailbox?key=${key.slice(1)}`),
    askMailbox(local, `/mailbox?key=${key.toLowerCase()}`),
    askMailbox(local, '/mailbox', { Cookie: 'octavo_mailbox=' }),
  ]
  for (const answer of refused) expect((await answer).status).toBe(404)
  expect(mailboxLink({ smtpUrl: 'smtp://mail.example.org' }, secret)).toBeUndefined()
})
