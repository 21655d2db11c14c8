import { ApiError } from '../errors.ts'
import type { ListParams } from '../read/read.ts'
import { falseWords, trueWords } from '../schema/coerce.ts'

const defaultPerPage = 30
export const maxPerPage = 1000

/**
 * Parses the parameters of a list request. Numbers out of range are clamped.
 *
 * @param query the first value of each key
 * @throws ApiError 400 for an invalid number or boolean
 */
export function listParams(query: Readonly<Record<string, string>>): ListParams {
  const page = integer(query.page)
  const perPage = integer(query.perPage)
  return {
    page: page > 0 ? page : 1,
    perPage: perPage > 0 ? Math.min(perPage, maxPerPage) : defaultPerPage,
    skipTotal: boolean(query.skipTotal),
    sort: query.sort ?? '',
    filter: query.filter ?? '',
    expand: query.expand,
    fields: query.fields,
  }
}

/** @returns 0 for the empty text */
function integer(text = ''): number {
  if (text === '') return 0
  const value = Number(text)
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new ApiError(400, '', {}, new Error('invalid page or perPage'))
  return value
}

function boolean(text = ''): boolean {
  const isTrue = trueWords.includes(text)
  if (text !== '' && !isTrue && !falseWords.includes(text))
    throw new ApiError(400, '', {}, new Error('invalid skipTotal'))
  return isTrue
}
