import type { Message } from '#server/mail/message.ts'
import { deviceName } from '#shared/device.ts'
import { layOut } from '#server/mail/layout.ts'

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
    lead: `Your account was signed in to from ${deviceName(agent)} on ${when}${address ? `, from the network address ${address}` : ''}.`,
    action: { label: 'Set a new password', url },
    rest: ['If it was you, there is nothing to do. If not, set a new password right away.'],
  })
}
