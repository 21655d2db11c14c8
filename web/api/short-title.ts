import type PocketBase from 'pocketbase'
import { isShortText } from '#shared/search-form.ts'
import { sendSearch } from './search.ts'

/** @returns whether a text too short to search everything for is the whole title of a book */
export async function isShortTitle(api: PocketBase, q: string): Promise<boolean> {
  if (!isShortText(q)) return false
  const { books } = await sendSearch(api, { q, answers: 'known', short_text: 'none' })
  return books.length > 0
}
