import type { CatalogueWork } from '#catalogue/index.ts'

/** A work with an edition in each language, by id. */
export function translated(
  editions: Record<string, [language: string, title: string]>,
): CatalogueWork {
  const [first, ...others] = Object.entries(editions).map(([id, [language, title]]) => ({
    id,
    ids: { openlibrary: id },
    title,
    image_links: [],
    page_count: 0,
    published_date: '',
    publisher: '',
    language,
  }))
  if (!first) throw new Error('No edition.')
  return {
    title: first.title,
    other_titles: [],
    authors: ['Ottilie Quantrell'],
    genres: [],
    description: '',
    readers: 0,
    editions: [first, ...others],
  }
}
