import * as z from 'zod'
import { nameText } from './form-fields.ts'

/** What its reader says of an API token. */
export const apiTokenForm = z.object({
  name: nameText,
})
