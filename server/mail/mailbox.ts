import type { Context } from 'hono'
import { html } from 'hono/html'
import { ApiError } from '#records/index.ts'
import type { Config } from '#server/config.ts'
import { isDirectLoopback, isLoopback } from '#server/http/client-address.ts'
import { readFiledMails, type FiledMail } from './file-post.ts'

const shown = 50

/**
 * `/mailbox`: the mails of a machine without SMTP, for the person sitting at it. For anybody else
 * there is no such page: it is served only while the site itself is a loopback address, to a
 * request that names one and comes straight from one.
 */
export function mailbox(config: Pick<Config, 'appUrl' | 'smtpUrl' | 'dataDir'>) {
  return async (c: Context): Promise<Response> => {
    const local =
      !config.smtpUrl && isLoopback(config.appUrl) && isLoopback(c.req.url) && isDirectLoopback(c)
    if (!local) throw new ApiError(404)
    c.header('Cache-Control', 'no-store')
    return c.html(page(await readFiledMails(config.dataDir, shown)))
  }
}

function page(mails: readonly FiledMail[]) {
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
            No mail server is set up, so mails stay on this machine. Only you, sitting at it, can
            see this page.
          </p>
        </header>
        <main>
          ${
            mails.length > 0
              ? html`<ol>
                  ${mails.map(row)}
                </ol>`
              : html`<p class="empty">
                  No mail yet. Sign up or sign in, and the code appears here.
                </p>`
          }
        </main>
      </body>
    </html>`
}

function row(mail: FiledMail) {
  const time = mail.date.toISOString()
  return html`<li>
    <div>
      <strong>${mail.subject}</strong>
      <span>to ${mail.to}</span>
      <time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time>
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
