import { describe, expect, test } from 'vitest'
import type { AuthMail } from '#records/index.ts'
import { accountMail } from './account-mail.ts'
import { otpMail } from './otp-mail.ts'

const now = new Date('2026-03-01T09:30:00Z')
const expires = new Date(now.getTime() + 1_800_000)
const about = { to: 'reader@example.org', collection: 'users', record: { id: 'r' } }
const said = (mail: AuthMail) => accountMail(mail, 'https://octavo.example', now)

describe('a mail with a link', () => {
  test.each([
    ['verification', 'confirm-verification'],
    ['passwordReset', 'reset-password'],
    ['emailChange', 'confirm-email-change'],
  ] as const)('%s leads to /auth/%s', (kind, screen) => {
    const message = said({ ...about, kind, token: 'a.b-_.c', expires })
    const url = `https://octavo.example/auth/${screen}?token=a.b-_.c`
    expect(message).toMatchObject({ to: about.to, code: '', expires })
    expect(message.text.split('\n')).toContain(url)
    expect(message.html).toContain(`href="${url}"`)
    expect(message.text).toContain('30 minutes')
  })
})

test('a notice says what happened and quotes no stranger', () => {
  const agent = 'Mozilla/5.0 (Macintosh; Mac OS X 10) Firefox/140.0 call <b>evil.example</b>'
  const device = said({ ...about, kind: 'newDevice', address: '192.0.2.7', agent, time: now })
  expect(device.text.replaceAll('\n', ' ')).toContain(
    'Firefox on a Mac on March 1, 2026 at 09:30 UTC, IP',
  )
  expect(device.text).toContain('192.0.2.7')
  expect(device.text + device.html).not.toContain('evil')
  const unknown = said({ ...about, kind: 'newDevice', address: '', agent: 'curl/8', time: now })
  expect(unknown.text).toContain('an unknown device')
  const changed = said({ ...about, kind: 'emailChanged', newEmail: `o'hara&co@example.org` })
  expect(changed.html).toContain('o&#39;hara&amp;co@example.org')
  expect(changed.text).toContain(`o'hara&co@example.org`)
  const linked = said({ ...about, kind: 'linked', provider: 'Google' })
  expect(linked.subject).toBe('Google can now sign you in to Octavo')
  const paused = said({ ...about, kind: 'otpLockout', until: new Date('2026-03-02T09:30:00Z') })
  expect(paused.text.replaceAll('\n', ' ')).toContain('March 2, 2026 at 09:30 UTC')
  expect(paused.text).toContain('https://octavo.example/auth/forgot-password')
  const reused = said({ ...about, kind: 'sessionReused', agent, time: now })
  expect(reused.text).toContain('Firefox on a Mac')
  expect(reused.text).toContain('https://octavo.example/auth/forgot-password')
  expect(reused.text + reused.html).not.toContain('evil')
  for (const message of [device, changed, linked, paused, reused])
    expect(message.expires.getTime()).toBe(now.getTime() + 86_400_000)
})

test('every mail has short lines and the same sheet of paper', () => {
  const mails = [
    otpMail(about.to, '042317', now),
    said({ ...about, kind: 'passwordReset', token: 't', expires }),
    said({ ...about, kind: 'linked', provider: 'Google' }),
    said({ ...about, kind: 'passkeyAdded', name: 'Phone' }),
  ]
  for (const { text, html } of mails) {
    expect(text.startsWith('Octavo\n\n')).toBe(true)
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(77)
    expect(html).toMatch(
      /^<!doctype html>\n<html lang="en" dir="ltr">[^]*max-width:440px[^]*<\/html>\n$/,
    )
  }
})

test('a mail is in the language of its reader', () => {
  const german = otpMail(about.to, '042317', now, 'de')
  expect(german.subject).toBe('Dein Octavo-Code ist 042317')
  expect(german.text).toContain('Dein Code: 042317')
  expect(german.html).toContain('<html lang="de" dir="ltr">')
  const arabic = accountMail(
    { ...about, kind: 'verification', token: 't', expires },
    'https://octavo.example',
    now,
    'ar',
  )
  expect(arabic.html).toContain('<html lang="ar" dir="rtl">')
  expect(arabic.html).toContain('تأكيد البريد</a>')
})
