import { useQuery } from '@tanstack/react-query'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { recordQuery } from '#web/api/library.ts'

/**
 * Lists come with the first character of a description, so it may have to be fetched.
 *
 * @returns a book's whole description; undefined until it is there
 */
export function useDescription(book: UserBook): string | undefined {
  const isCut = [...book.description].length === 1
  const whole = useQuery({ ...recordQuery(useApi(), book.id), enabled: isCut })
  return isCut ? whole.data?.[0]?.description : book.description
}
