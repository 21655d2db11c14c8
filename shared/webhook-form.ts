import * as z from 'zod'
import { refusal, rule } from './rule.ts'
import { isWebAddress, webhookEvents } from './webhook.ts'

/** What a reader says of a webhook. */
export const webhookForm = z.object({
  url: z
    .string()
    .trim()
    .max(2000, rule('webhookAddress'))
    .refine(isWebAddress, refusal('webhookAddress')),
  events: z
    .array(z.enum(webhookEvents))
    .meta({ minItems: 1 })
    .transform((events) => webhookEvents.filter((event) => events.includes(event)))
    .refine((events) => events.length > 0, refusal('webhookEvents')),
})
