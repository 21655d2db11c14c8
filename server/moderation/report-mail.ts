import { renderMail } from '#server/mail/layout.ts'
import type { Message } from '#server/mail/message.ts'
import { reportReasons } from '#shared/report.ts'
import type { Report } from './reports.ts'

/** Milliseconds after which the mail expires. */
const life = 30 * 24 * 60 * 60 * 1000

/**
 * Renders the mail about a report.
 *
 * @param to the operator's email
 */
export function reportMail(report: Report, to: string, appUrl: string): Message {
  const { id, reporter, reported, reason, details, created } = report
  return renderMail({
    to,
    expires: new Date(Date.parse(created) + life),
    subject: `A profile was reported: ${reported}`,
    lead: `@${reporter} reported the profile of @${reported}: ${reportReasons[reason]}.`,
    action: { label: `See @${reported}`, url: `${appUrl}/u/${reported}` },
    rest: [
      ...(details ? [details] : []),
      `Read it again with: npm run moderate -- show ${id}`,
      `Hide the profile with: npm run moderate -- hide ${reported}`,
      `When it is dealt with: npm run moderate -- close ${id}`,
    ],
  })
}
