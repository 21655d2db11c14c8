import { escapeToBuffer } from 'hono/utils/html'
import { directionOf, type Language } from '#shared/language.ts'
import type { Message } from './message.ts'

/** The content of a mail, as plain text. */
export interface MailContent {
  to: string
  /** English if absent. */
  language?: Language
  subject: string
  /** The subject without its code, where it has one. */
  title?: string
  expires: Date
  /** The first sentence. */
  lead: string
  /** A code to type. */
  code?: string
  /** The link, shown as a button and as an address to copy. */
  action?: { label: string; url: string }
  /** The closing paragraphs. */
  rest: readonly string[]
}

/** Renders a mail as text and as HTML in Octavo's layout. */
export function renderMail(content: MailContent): Message {
  const { to, subject, expires, code = '' } = content
  return { to, subject, expires, code, text: plain(content), html: page(content) }
}

const lineLength = 64

function plain({ lead, code, action, rest }: MailContent): string {
  const first = code ? `${lead} ${code}` : lead
  const paragraphs = [first, ...(action ? [action.url] : []), ...rest].map(fold)
  return `Octavo\n\n${paragraphs.join('\n\n')}\n`
}

/** Wraps lines between words; addresses stay whole. */
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

/** The site's light colours, inline, for mail programs without style sheets. */
const light = {
  paper: '#f8f4ea',
  sheet: '#fffdf7',
  line: '#e0d8c7',
  ink: '#211c16',
  soft: '#554d42',
  rubric: '#a4231b',
}

/** The dark colours, for mail programs with `prefers-color-scheme`. */
const dark = `:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
.paper{background:#15120e!important}
.sheet{background:#1d1914!important;border-color:#39332a!important}
.ink{color:#f1eadd!important}
.soft{color:#c3b9a8!important}
.rubric{color:#f2897a!important}
.button{background:#b8372c!important}
}`

// Tables and inline styles, as mail programs support little else.
function page(content: MailContent): string {
  const { subject, title = subject, lead, code, action, rest, language = 'en' } = content
  const row = (name: string, style: string, cell: string) =>
    `<tr><td class="${name}" style="${style};color:${light[name as keyof typeof light]}">${cell}</td></tr>`
  const rows = [
    row('rubric', `padding:28px 32px 0;${serif};font-size:20px;font-weight:600`, 'Octavo'),
    row('ink', `padding:20px 32px 0;${sans};font-size:16px;line-height:24px`, escapeHtml(lead)),
  ]
  if (code) {
    const large = `${serif};font-size:44px;line-height:52px;letter-spacing:8px`
    rows.push(row('ink', `padding:12px 32px 0;${large}`, escapeHtml(code)))
  }
  if (action) rows.push(row('ink', 'padding:20px 32px 0', button(action)))
  for (const [i, paragraph] of rest.entries()) {
    const padding = `padding:12px 32px ${i === rest.length - 1 ? 28 : 0}px`
    const style = `${padding};${sans};font-size:14px;line-height:21px`
    rows.push(row('soft', style, escapeHtml(paragraph)))
  }
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${dark}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${light.paper};color:${light.ink}">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" class="paper" style="background:${light.paper}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" class="sheet"
 style="max-width:440px;background:${light.sheet};border:1px solid ${light.line};border-radius:6px">
${rows.join('\n')}
</table>
</td></tr>
</table>
</body>
</html>
`
}

function button({ label, url }: { label: string; url: string }): string {
  const style = `display:inline-block;padding:12px 20px;background:${light.rubric};border-radius:6px;${sans};font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none`
  return `<a class="button" href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a>`
}

function escapeHtml(text: string): string {
  const escaped: [string] = ['']
  escapeToBuffer(text, escaped)
  return escaped[0]
}
