import * as z from 'zod'
import { rule } from './rule.ts'

/** What its reader says of an API token. */
export const apiTokenForm = z.object({
  name: z.string().trim().min(1, rule('required')).max(60, rule('charactersAtMost')),
})
