import type { Message } from '#server/mail/message.ts'
import { deviceName } from '#shared/device.ts'
import { layOut, statedTime } from '#server/mail/layout.ts'

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
  return layOut({
    to,
    expires,
    subject: 'New sign-in to your Octavo account',
    lead: `There was a new sign-in to your account from ${deviceName(agent)} on ${statedTime(time)}${address ? `, IP address ${address}` : ''}.`,
    action: { label: 'Set a new password', url },
    rest: ['If it was you, you don’t need to do anything. If not, set a new password right away.'],
  })
}
