import type { Message } from '#server/mail/message.ts'
import { layOut, statedTime } from '#server/mail/layout.ts'
import { deviceName } from '#shared/device.ts'

/** The notice that a session was ended because an old copy of it was used. */
export function sessionReusedMail(
  { to, agent, time }: { to: string; agent: string; time: Date },
  url: string,
  expires: Date,
): Message {
  return layOut({
    to,
    expires,
    subject: 'You were signed out of Octavo on one device',
    lead: `Someone used an old copy of your session on ${deviceName(agent)} on ${statedTime(time)}. To be safe, we ended that session, so you’ll need to sign in there again.`,
    action: { label: 'Set a new password', url },
    rest: [
      'This can happen when a connection drops or a browser restores an earlier state. It can also mean that someone copied your session. If you suspect that, set a new password. It signs you out on every device.',
    ],
  })
}
