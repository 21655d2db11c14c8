import * as z from 'zod'
import { loginForm } from './account-forms.ts'
import { adminReaderSorts, invitationDays } from './admin.ts'
import { numberText, queryNumber, storedText } from './form-fields.ts'
import { rule } from './rule.ts'

export const adminPageForm = z.object({ page: queryNumber(100_000).default(1) })

/** A query of the administrator's list of readers. */
export const adminReadersForm = adminPageForm.extend({
  q: storedText(255, 'charactersBelow').default(''),
  sort: z.enum(adminReaderSorts, rule('readersOrder')).default('newest'),
})
export type AdminReadersForm = z.infer<typeof adminReadersForm>

export const invitationForm = z.object({
  days: numberText(
    z
      .number(rule('notANumber'))
      .int(rule('notWhole'))
      .min(1, rule('numberAtLeast'))
      .max(invitationDays.most, rule('numberAtMost')),
  ).default(invitationDays.usual),
})

/** The password that the administrator signs in with. */
export const confirmationForm = z.object({
  password: loginForm.shape.password.meta({ minLength: 8, maxLength: 71 }),
})
