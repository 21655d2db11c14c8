import type { Message } from '#server/mail/mail.ts'
import { otp } from '#shared/account.ts'

/**
 * The mail with the code of the second step.
 *
 * @param sent when the code was made: the mail is of no use once the code has expired
 */
export function otpMail(to: string, code: string, sent: Date): Message {
  const minutes = otp.life / 60
  return {
    to,
    code,
    subject: `Your Octavo code is ${code}`,
    expires: new Date(sent.getTime() + otp.life * 1000),
    text: [
      'Octavo',
      '',
      `Your code: ${code}`,
      '',
      `It expires in ${minutes} minutes and works once.`,
      'If you did not try to sign in, ignore this mail. Nobody can',
      'get in without the code.',
      '',
    ].join('\n'),
    html: page(code, minutes),
  }
}

// Tables and inline styles, because mail programs know little else.
function page(code: string, minutes: number): string {
  const serif = `font-family:Newsreader,Georgia,'Times New Roman',serif`
  const sans = `font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Your Octavo code</title>
</head>
<body style="margin:0;padding:0;background:#faf7f1;color:#221d18">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="background:#faf7f1">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"
 style="max-width:440px;background:#fffdf9;border:1px solid #e3dccf;border-radius:6px">
<tr><td style="padding:28px 32px 0;${serif};font-size:20px;font-weight:600;color:#a8322a">Octavo</td></tr>
<tr><td style="padding:20px 32px 0;${sans};font-size:16px;line-height:24px;color:#221d18">Your code to sign in:</td></tr>
<tr><td style="padding:12px 32px 0;${serif};font-size:44px;line-height:52px;letter-spacing:8px;color:#221d18">${code}</td></tr>
<tr><td style="padding:12px 32px 28px;${sans};font-size:14px;line-height:21px;color:#6a6054">It expires in ${minutes} minutes and works once. If you did not try to sign in, ignore this mail. Nobody can get in without the code.</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}
