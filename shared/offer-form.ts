import * as z from 'zod'
import { nameText, requireOneOf, optionalIsbn, trimmedText } from './form-fields.ts'
import { maxOwnStores, offerFormats } from './offer.ts'
import { refusal, rule } from './rule.ts'
import { fillTemplate, templateVariables } from './store-link.ts'

const text = trimmedText(500, 'textTooLong').default('')

/** The book to find offers and sources for, by ISBN or title. */
export const offerForm = z
  .object({
    title: text,
    author: text,
    isbn: optionalIsbn,
    country: trimmedText(2, 'country').default('US'),
  })
  .refine((form) => form.title || form.isbn, {
    path: ['title'],
    ...refusal('required'),
  })
  .meta(requireOneOf('title', 'isbn'))
export type OfferForm = z.infer<typeof offerForm>

const notATemplate = refusal('storeAddress', {
  names: templateVariables.map((word) => `{${word}}`).join(', '),
})

/** A reader's own store, for one format. */
export const ownStore = z.object({
  name: nameText,
  format: z.enum(offerFormats),
  template: z.string().trim().max(500, rule('charactersAtMost')).refine(isTemplate, notATemplate),
})
export type OwnStore = z.infer<typeof ownStore>

/** All of a reader's own stores, in the order they were added. */
export const ownStores = z.array(ownStore).max(maxOwnStores, rule('tooManyStores'))

/**
 * Whether a text is an https address with at least one known variable, and nothing else in braces.
 */
function isTemplate(template: string): boolean {
  const words = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, word]) => word ?? '')
  const known: readonly string[] = templateVariables
  if (words.length === 0 || !words.every((word) => known.includes(word))) return false
  const link = fillTemplate(template, Object.fromEntries(known.map((word) => [word, '1'])))
  const url = link && URL.canParse(link) ? new URL(link) : null
  // The host must not contain a variable.
  return url?.protocol === 'https:' && !/^https:\/\/[^/]*\{/.test(template) && !url.username
}
