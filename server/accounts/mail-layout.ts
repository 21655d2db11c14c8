import type { Message } from '#server/mail/mail.ts'

/** What a mail says, without its looks. Plain text throughout. */
export interface Letter {
  to: string
  subject: string
  expires: Date
  /** The first sentence. */
  lead: string
  /** A code to type. */
  code?: string
  /** Where to go, as a button and as an address to copy. */
  action?: { label: string; url: string }
  /** Paragraphs of the small print. */
  rest: readonly string[]
}

/** Every mail of the house looks the same: as text, and as a sheet of paper. */
export function layOut(letter: Letter): Message {
  const { to, subject, expires, code = '' } = letter
  return { to, subject, expires, code, text: plain(letter), html: page(letter) }
}

const lineLength = 64

function plain({ lead, code, action, rest }: Letter): string {
  const first = code ? `${lead} ${code}` : lead
  const paragraphs = [first, ...(action ? [action.url] : []), ...rest].map(fold)
  return `Octavo\n\n${paragraphs.join('\n\n')}\n`
}

/** Breaks lines between words; an address is one word. */
function fold(paragraph: string): string {
  const lines: string[] = []
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > lineLength) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}

const serif = `font-family:Newsreader,Georgia,'Times New Roman',serif`
const sans = `font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`

// Tables and inline styles, because mail programs know little else.
function page({ subject, lead, code, action, rest }: Letter): string {
  const row = (style: string, html: string) => `<tr><td style="${style}">${html}</td></tr>`
  const rows = [
    row(`padding:28px 32px 0;${serif};font-size:20px;font-weight:600;color:#a8322a`, 'Octavo'),
    row(
      `padding:20px 32px 0;${sans};font-size:16px;line-height:24px;color:#221d18`,
      escapeHtml(lead),
    ),
  ]
  if (code)
    rows.push(
      row(
        `padding:12px 32px 0;${serif};font-size:44px;line-height:52px;letter-spacing:8px;color:#221d18`,
        escapeHtml(code),
      ),
    )
  if (action) rows.push(row('padding:20px 32px 0', button(action)))
  const small = `${sans};font-size:14px;line-height:21px;color:#6a6054`
  for (const [i, paragraph] of rest.entries())
    rows.push(
      row(`padding:12px 32px ${i === rest.length - 1 ? 28 : 0}px;${small}`, escapeHtml(paragraph)),
    )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(code ? subject.replace(` is ${code}`, '') : subject)}</title>
</head>
<body style="margin:0;padding:0;background:#faf7f1;color:#221d18">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="background:#faf7f1">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"
 style="max-width:440px;background:#fffdf9;border:1px solid #e3dccf;border-radius:6px">
${rows.join('\n')}
</table>
</td></tr>
</table>
</body>
</html>
`
}

function button({ label, url }: { label: string; url: string }): string {
  const style = `display:inline-block;padding:12px 20px;background:#a8322a;border-radius:6px;${sans};font-size:16px;line-height:20px;font-weight:600;color:#fffdf9;text-decoration:none`
  return `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => entities[char]!)
}
