import * as z from 'zod'
import type { LibraryHooks, LibraryTransaction, Stored } from '#server/collections/stored.ts'
import { accents } from '#shared/accent.ts'
import { ownStores } from '#shared/offer-form.ts'
import { storeCountries } from '#shared/offer.ts'
import { isTimeZone } from '#shared/partial-date.ts'
import { plans, type Plan } from '#shared/plan.ts'
import { planOf } from '#server/billing/plan.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkSchema, throwFieldErrors, type FieldProblems } from '#server/library/field-errors.ts'
import { updateAllWorks } from '#server/library/work-readers.ts'

const storesForm = z.object({
  country: z
    .string()
    .refine(
      (code) => code === '' || Object.hasOwn(storeCountries, code),
      'Choose a country from the list.',
    ),
  stores: ownStores,
  time_zone: z
    .string()
    .refine((name) => name === '' || isTimeZone(name), 'Enter a time zone such as Europe/Berlin.'),
})

/**
 * Hooks of settings: stores must be known or have a valid address, and only Premium Scholar can
 * choose a colour. A colour chosen earlier, or imported, is kept but not shown on the free plan.
 */
export function settingsHooks(planDefault: Plan): LibraryHooks<'settings'> {
  return {
    async prepare({ action, before, after, request }, tx) {
      if (!after) return
      const wrong: FieldProblems = {}
      const { country, stores, time_zone } = after
      const given = { country, stores: stores ?? [], time_zone }
      const form = checkSchema(storesForm, given, wrong)
      if (request && isOwnAccent(after) && after.accent !== before?.accent)
        await checkAccent(tx, after.user, planDefault, wrong)
      throwFieldErrors(action, wrong)
      Object.assign(after, form)
    },

    async applied({ before, after }, tx) {
      if (before && isPublic(before) !== isPublic(after)) await updateAllWorks(tx, before.user)
    },
  }
}

const isPublic = (settings: Stored<'settings'> | null) =>
  settings !== null && !settings.isPrivate && !settings.isHidden

const isOwnAccent = ({ accent }: Stored<'settings'>) => Boolean(accent) && accent !== accents[0]

async function checkAccent(
  tx: LibraryTransaction,
  user: string,
  planDefault: Plan,
  wrong: FieldProblems,
) {
  const plan = await planOf(tx, user, planDefault)
  if (plans[plan].hasAccent) return
  wrong['accent'] = fieldError('accentOnFreePlan', {}, 'validation_plan')
}
