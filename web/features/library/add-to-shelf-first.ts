import type { QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { foldText } from '#shared/text.ts'
import { createShelf, shelfNamesQuery } from '#web/api/library.ts'
import { t } from '#web/i18n/books.ts'

/** The shelf's name in every language, for readers who have changed theirs. */
export const wantToReadNames = [
  'Want to read',
  'Will ich lesen',
  'À lire',
  'Quiero leer',
  'Quero ler',
  '読みたい',
  'أريد قراءتها',
]

/** The shelf for books that are wanted with one tap. */
export const wantToReadShelf = () => t('wantedShelf')

/** Where a reader's first book goes. */
export const firstShelf = () => t('firstShelf')

/**
 * Finds the reader's shelf of a name, or makes it; several books at once share one.
 *
 * @returns its id
 * @throws ClientResponseError when the plan has no room for another
 */
export async function findOrCreateShelf(
  api: PocketBase,
  queries: QueryClient,
  user: string,
  name: string,
): Promise<string> {
  const key = `${user} ${name}`
  const making = underWay.get(key) ?? make(api, queries, user, name)
  underWay.set(key, making)
  try {
    return await making
  } finally {
    underWay.delete(key)
  }
}

const underWay = new Map<string, Promise<string>>()

async function make(
  api: PocketBase,
  queries: QueryClient,
  user: string,
  name: string,
): Promise<string> {
  const shelves = await queries.query({ ...shelfNamesQuery(api, user), staleTime: 0 })
  // A shelf made in another language is the same shelf.
  const names = name === wantToReadShelf() ? [name, ...wantToReadNames] : [name]
  const found = names
    .map((one) => shelves.find((shelf) => foldText(shelf.name) === foldText(one)))
    .find(Boolean)
  return found?.id ?? (await createShelf(api, { name, visibility: 'public' })).id
}
