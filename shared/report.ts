import * as z from 'zod'
import { requireOneOf, storedText } from './form-fields.ts'

/** Why a profile is reported, in the order of the form, as the operator reads it. */
export const reportReasons = {
  impersonation: 'Pretends to be someone else',
  offensive: 'Offensive name, picture or words',
  spam: 'Spam or advertising',
  other: 'Something else',
} as const
export type ReportReason = keyof typeof reportReasons

const reasons = Object.keys(reportReasons) as [ReportReason, ...ReportReason[]]

/** Characters that a reader can add in their own words. */
export const maxReportDetails = 1000

export const reportForm = z
  .object({
    reason: z.enum(reasons, 'Choose a reason.'),
    details: storedText(
      maxReportDetails,
      `Details cannot exceed ${maxReportDetails} characters.`,
      'Details must be text.',
    ).default(''),
  })
  .refine(({ reason, details }) => reason !== 'other' || details !== '', {
    path: ['details'],
    message: 'Tell us what’s wrong.',
  })
  .meta({
    anyOf: [
      { properties: { reason: { enum: reasons.filter((reason) => reason !== 'other') } } },
      ...requireOneOf('details').anyOf,
    ],
  })
export type ReportForm = z.infer<typeof reportForm>

/** What one reader can report within a day. */
export const maxReportsPerDay = 5

export const reportMessages = {
  yourself: 'You cannot report yourself.',
  again: 'You’ve already reported this profile. We’re looking into it.',
  tooMany: `You can report ${maxReportsPerDay} profiles a day. Try again tomorrow.`,
} as const
