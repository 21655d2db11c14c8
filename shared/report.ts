import * as z from 'zod'
import { requireOneOf, storedText } from './form-fields.ts'
import { refusal, rule } from './rule.ts'

/** The reasons for a report, in the order of the form, in the operator's words. */
export const reportReasons = {
  impersonation: 'Pretends to be someone else',
  offensive: 'Offensive name, picture or words',
  spam: 'Spam or advertising',
  other: 'Something else',
} as const
export type ReportReason = keyof typeof reportReasons

const reasons = Object.keys(reportReasons) as [ReportReason, ...ReportReason[]]

/** The longest text in the reader's own words, in characters. */
export const maxReportDetails = 1000

export const reportForm = z
  .object({
    reason: z.enum(reasons, rule('reasonRequired')),
    details: storedText(maxReportDetails, 'charactersAtMost').default(''),
  })
  .refine(({ reason, details }) => reason !== 'other' || details !== '', {
    path: ['details'],
    ...refusal('reportDetailsRequired'),
  })
  .meta({
    anyOf: [
      { properties: { reason: { enum: reasons.filter((reason) => reason !== 'other') } } },
      ...requireOneOf('details').anyOf,
    ],
  })
export type ReportForm = z.infer<typeof reportForm>

/** The most reports of one reader per day. */
export const maxReportsPerDay = 5
