import type { BookIds } from '#shared/book.ts'
import {
  offerFormats,
  storeCountry,
  type BookSource,
  type OfferForm,
  type StoreCountry,
  type StoreOffer,
} from '#shared/offer.ts'
import { fillTemplate, templateValues, type TemplateValues } from '#shared/store-link.ts'
import { gutenbergNumber } from './gutenberg.ts'
import { stores, type Store } from './stores.ts'

/**
 * Lists where a book can be bought, borrowed or read for free. Addresses are built without a
 * request: a store that doesn't have the book says so itself.
 *
 * @param form a valid form, with title or ISBN
 * @param ids the book's ids in other catalogues; free copies and loans need one
 * @returns free sources first, then libraries, then the stores of the reader's country, each with a
 *   link per format; those without any link are left out
 */
export function storeOffers(form: OfferForm, ids: BookIds = {}): StoreOffer[] {
  const { title, author } = form
  const gutenberg = ids.gutenberg ?? gutenbergNumber(title, author)
  const words = `${title} ${author}`.trim()
  const values = { ...ids, gutenberg, ...templateValues(form), words }
  const country = storeCountry(form.country)
  return stores.flatMap((store) => offerOf(store, country, values) ?? [])
}

function offerOf(store: Store, country: StoreCountry, values: TemplateValues): StoreOffer | null {
  const site = store.sites?.[country]
  if ((store.sites && !site) || store.countries?.includes(country) === false) return null
  const links: StoreOffer['links'] = {}
  for (const format of offerFormats) {
    const templates = store.links[format] ?? []
    const link = templates
      .map((template) => fillTemplate(template.replace('{site}', site ?? ''), values))
      .find((filled) => filled !== null)
    if (link) links[format] = link
  }
  return Object.keys(links).length > 0 ? { store: store.name, kind: store.kind, links } : null
}

/**
 * Links to the book's pages at Open Library and Google Books.
 *
 * @param form a valid form, with title or ISBN
 * @param ids the book's ids there, if known
 */
export function bookSources(form: OfferForm, ids: BookIds = {}): BookSource[] {
  const words = `${form.title} ${form.author}`.trim()
  const values = { ...ids, ...templateValues(form), words }
  const isWork = ids.openlibrary?.endsWith('W')
  const templates = {
    google: [
      'https://books.google.com/books?id={google}',
      'https://books.google.com/books?vid=ISBN{isbn13}',
      'https://books.google.com/books?q={words}',
    ],
    openlibrary: [
      `https://openlibrary.org/${isWork ? 'works' : 'books'}/{openlibrary}`,
      'https://openlibrary.org/isbn/{isbn13}',
      'https://openlibrary.org/search?q={words}',
    ],
  }
  return (['google', 'openlibrary'] as const).flatMap((name) => {
    const [link] = templates[name].flatMap((template) => fillTemplate(template, values) ?? [])
    return link ? [{ name, link }] : []
  })
}
