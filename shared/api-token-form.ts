import * as z from 'zod'
import { nameText } from './form-fields.ts'
import { rule } from './rule.ts'

/** What its reader says of an API token. */
export const apiTokenForm = z.object({
  name: nameText,
})

/** The same with what programs send, which the record service checks further. */
export const sentTokenForm = apiTokenForm.extend({
  collections: z
    .array(z.string(rule('notText')), rule('notAList'))
    .nullish()
    .meta({ description: 'Names of collections that it is limited to; all if empty' }),
  expires: z.string().optional().meta({ description: 'In the future; a year from now if absent' }),
})
