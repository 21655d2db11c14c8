import type { QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { foldText } from '#shared/text.ts'
import { isApiError } from '#web/api/errors.ts'
import { createShelf, shelfNamesQuery, type NewShelf } from '#web/api/library.ts'
import { t } from '#web/i18n/books.ts'

/** The name that the shelf of wanted books gets. Its reader may change it. */
export const wantToReadShelf = () => t('wantedShelf')

/** The shelf for books that are wanted with one tap. */
export const wantShelf = (): NewShelf => ({
  name: wantToReadShelf(),
  visibility: 'public',
  kind: 'want',
})

/** The shelf to create for a reader's first book. */
export const firstShelf = (): NewShelf => ({ name: t('firstShelf'), visibility: 'public' })

/**
 * Finds the reader's shelf of a kind, or else of a name, or makes it; several books at once share
 * one.
 *
 * @returns its id
 * @throws ClientResponseError when the plan has no room for another
 */
export async function findOrCreateShelf(
  api: PocketBase,
  queries: QueryClient,
  user: string,
  shelf: NewShelf,
): Promise<string> {
  const key = `${user} ${shelf.kind ?? shelf.name}`
  const making = underWay.get(key) ?? make(api, queries, user, shelf)
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
  { kind, ...form }: NewShelf,
): Promise<string> {
  const find = async () => {
    const shelves = await queries.query({ ...shelfNamesQuery(api, user), staleTime: 0 })
    return shelves.find((one) =>
      kind ? one.kind === kind : foldText(one.name) === foldText(form.name),
    )?.id
  }
  const found = await find()
  if (found) return found
  try {
    return (await createShelf(api, { ...form, ...(kind && { kind }) })).id
  } catch (error) {
    // Another device may have just made the one of its kind.
    const made = kind && isApiError(error) && error.status === 400 ? await find() : undefined
    if (made) return made
    throw error
  }
}
