import * as z from 'zod'
import { directorySorts } from './directory.ts'
import { queryNumber, storedText } from './form-fields.ts'
import { rule } from './rule.ts'

/** A query of the directory. A search of one character matches everybody. */
export const directoryForm = z.object({
  q: storedText(255, 'charactersBelow').default(''),
  sort: z.enum(directorySorts, rule('readersOrder')).default('newest'),
  page: queryNumber(100_000).default(1),
})
export type DirectoryForm = z.infer<typeof directoryForm>
