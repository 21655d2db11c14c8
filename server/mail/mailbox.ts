import { createHmac, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { Config } from '#server/settings/config.ts'
import { listStoredMails, type StoredMail } from './file-transport.ts'
import { formatMailTime } from './translations.ts'

const shown = 50

const cookieName = 'octavo_mailbox'
/** Seconds: a year. */
const cookieLife = 31_536_000

/** @returns the key of the mailbox, derived from the secret */
function mailboxKey(secret: string): string {
  return createHmac('sha256', secret).update('mailbox').digest('base64url').slice(0, 32)
}

/** @returns the path of the mailbox with its key; undefined if there is a mail server */
export function mailboxLink({ smtpUrl }: Pick<Config, 'smtpUrl'>, secret: string) {
  return smtpUrl ? undefined : `/mailbox?key=${mailboxKey(secret)}`
}

/**
 * `/mailbox`: the stored mails of a site without SMTP, for those who have the key that the start
 * prints. The client's address doesn't count, as behind a proxy every request seems to come from
 * this machine. The key moves from the URL to a cookie; without it the page is a 404.
 *
 * @param secret the server's, to derive the key
 */
export function mailbox(
  config: Pick<Config, 'appUrl' | 'smtpUrl' | 'dataDir'> & Partial<Pick<Config, 'signInCode'>>,
  secret: string,
): MiddlewareHandler {
  const key = Buffer.from(mailboxKey(secret))
  const isKey = (text = '') => {
    const given = Buffer.from(text)
    return given.length === key.length && timingSafeEqual(given, key)
  }
  return async (c, next) => {
    if (config.smtpUrl) return next()
    const isAsked = isKey(c.req.query('key'))
    if (!isAsked && !isKey(getCookie(c, cookieName))) return next()
    c.header('Cache-Control', 'no-store')
    if (!isAsked)
      return c.html(page(await listStoredMails(config.dataDir, shown), config.signInCode !== false))
    setCookie(c, cookieName, key.toString(), {
      path: '/mailbox',
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: cookieLife,
      secure: config.appUrl.startsWith('https:'),
    })
    return c.redirect('/mailbox', 303)
  }
}

function page(mails: readonly StoredMail[], hasCodes: boolean) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="refresh" content="3" />
        <title>Mailbox | Octavo</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <header>
          <a href="/">Octavo</a>
          <h1>Mailbox</h1>
          <p>
            No mail server is set up, so emails stay on this machine. Only browsers that opened the
            link printed at startup can see this page.
          </p>
        </header>
        <main>
          ${
            mails.length > 0
              ? html`<ol>
                  ${mails.map(row)}
                </ol>`
              : html`<p class="empty">
                  No emails yet.
                  ${hasCodes ? 'Sign up or sign in, and your code appears here.' : ''}
                </p>`
          }
        </main>
      </body>
    </html>`
}

function row(mail: StoredMail) {
  return html`<li>
    <div>
      <strong>${mail.subject}</strong>
      <span>to ${mail.to}</span>
      <time datetime="${mail.date.toISOString()}">${formatMailTime('en', mail.date)}</time>
    </div>
    ${mail.code ? html`<output>${mail.code}</output>` : ''}
    ${mail.link ? html`<a href="${mail.link}">Open its link</a>` : ''}
  </li>`
}

const style = `
  :root { color-scheme: light dark; --paper: #faf7f1; --surface: #fffdf9; --line: #e3dccf;
    --ink: #221d18; --soft: #6a6054; --rubric: #a8322a; }
  @media (prefers-color-scheme: dark) { :root { --paper: #17140f; --surface: #1f1b16;
    --line: #38322a; --ink: #efe8dc; --soft: #a99f90; --rubric: #ec8a7c; } }
  body { margin: 0; background: var(--paper); color: var(--ink);
    font: 16px/1.5 Inter, system-ui, sans-serif; }
  header, main { max-width: 640px; margin: 0 auto; padding: 24px 16px 0; }
  li a { color: var(--rubric); font-weight: 600; }
  header a { color: var(--rubric); font: 600 18px Newsreader, Georgia, serif;
    text-decoration: none; }
  h1 { margin: 16px 0 4px; font: 500 36px/1.2 Newsreader, Georgia, serif; }
  p { margin: 0; color: var(--soft); }
  .empty { padding: 48px 0; text-align: center; }
  ol { list-style: none; margin: 0; padding: 0 0 48px; }
  li { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center;
    justify-content: space-between; margin-top: 12px; padding: 16px 20px;
    background: var(--surface); border: 1px solid var(--line); border-radius: 6px; }
  li div { display: grid; min-width: 0; }
  li span, li time { color: var(--soft); font-size: 14px; overflow-wrap: anywhere; }
  output { font: 500 28px Newsreader, Georgia, serif; letter-spacing: 0.12em;
    font-variant-numeric: lining-nums tabular-nums; }
`
