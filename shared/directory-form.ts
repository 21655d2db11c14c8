import * as z from 'zod'
import { directorySorts } from './directory.ts'
import { storedText } from './form-fields.ts'

/** A query of the directory. A search of one character matches everybody. */
export const directoryForm = z.object({
  q: storedText(
    255,
    'Search text must be less than 255 characters.',
    'Search text must be text.',
  ).default(''),
  sort: z.enum(directorySorts, 'Sort must be newest, a-z or similar.').default('newest'),
  page: z.coerce.number('Page must be a number.').int().min(1).max(100_000).default(1),
})
export type DirectoryForm = z.infer<typeof directoryForm>
