import type { Message } from '#server/mail/mail.ts'
import { layOut } from './mail-layout.ts'

interface SignIn {
  to: string
  time: Date
  address: string
  agent: string
}

/** The notice of a sign-in from where there was none before. */
export function newDeviceMail(
  { to, time, address, agent }: SignIn,
  url: string,
  expires: Date,
): Message {
  const when = `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return layOut({
    to,
    expires,
    subject: 'A new sign-in to Octavo',
    lead: `Your account was signed in to from ${device(agent)} on ${when}${address ? `, from the network address ${address}` : ''}.`,
    action: { label: 'Set a new password', url },
    rest: ['If it was you, there is nothing to do. If not, set a new password right away.'],
  })
}

const browsers = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const
const systems = [
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
] as const

/** Named by words of our own: what the request called itself is whatever a stranger wrote. */
function device(agent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1]
  if (!browser) return 'an unknown program'
  return system ? `${browser} on ${system}` : browser
}
