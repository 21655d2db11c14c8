import * as z from 'zod'

/** Why a profile is reported, in the order of the form, as the operator reads it. */
export const reportReasons = {
  impersonation: 'Pretends to be somebody else',
  offensive: 'Offensive name, picture or words',
  spam: 'Spam or advertising',
  other: 'Something else',
} as const
export type ReportReason = keyof typeof reportReasons

const reasons = Object.keys(reportReasons) as [ReportReason, ...ReportReason[]]

/** Characters that a reader can add in their own words. */
export const reportDetailsMax = 1000

export const reportForm = z
  .object({
    reason: z.enum(reasons, 'Choose a reason.'),
    details: z
      .string()
      .trim()
      .max(reportDetailsMax, `Details cannot exceed ${reportDetailsMax} characters.`)
      .refine((text) => !text.includes('\0'), 'Details must be text.')
      .default(''),
  })
  .refine(({ reason, details }) => reason !== 'other' || details !== '', {
    path: ['details'],
    message: 'Say what is wrong.',
  })
export type ReportForm = z.infer<typeof reportForm>

/** What one reader can report within a day. */
export const reportsPerDay = 5

export const reportSentences = {
  yourself: 'You cannot report yourself.',
  again: 'You have reported this profile already. It is being looked at.',
  tooMany: `You can report ${reportsPerDay} profiles a day. Please come back tomorrow.`,
} as const
