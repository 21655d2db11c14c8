import * as z from 'zod'
import type { Hooks } from '#records/index.ts'
import { ownStores } from '#shared/offer-form.ts'
import { storeCountries } from '#shared/offer.ts'
import { check, refuse, type Wrong } from '#server/library/refusal.ts'

const storesForm = z.object({
  country: z
    .string()
    .refine(
      (code) => code === '' || Object.hasOwn(storeCountries, code),
      'Choose a country of the list.',
    ),
  stores: ownStores,
})

/** What is true about settings: stores are those that offers know, or addresses of the web. */
export const settingsHooks: Hooks = {
  prepare({ action, after }) {
    if (!after) return
    const wrong: Wrong = {}
    const given = { country: after.country ?? '', stores: after.stores ?? [] }
    const form = check(storesForm, given, wrong)
    refuse(action, wrong)
    Object.assign(after, form)
  },
}
