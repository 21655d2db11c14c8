import { useActionData } from 'react-router'
import type { UserBook } from '#shared/user-book.ts'
import type { Refusal } from '#web/api/act.ts'

/** @returns why the page's action refused a form about this book; undefined if it didn't */
export function useBookRefusal({ id }: Pick<UserBook, 'id'>): Refusal | undefined {
  const refusal = useActionData<Refusal | undefined>()
  return refusal?.typed?.['book'] === id ? refusal : undefined
}
