import { ApiError } from '../errors.ts'
import type { ListParams } from '../read/read.ts'
import { falseWords, trueWords } from '../schema/coerce.ts'

const defaultPerPage = 30
const maxPerPage = 1000

/**
 * What a list request asks for; too much or too little is brought into range.
 *
 * @param query the first value of each key
 * @throws ApiError 400 for what is no number or no boolean
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

/** @returns 0 for nothing */
function integer(text = ''): number {
  if (text === '') return 0
  const value = Number(text)
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new ApiError(400, '', {}, new Error('page or perPage'))
  return value
}

function boolean(text = ''): boolean {
  const isTrue = trueWords.includes(text)
  if (text !== '' && !isTrue && !falseWords.includes(text))
    throw new ApiError(400, '', {}, new Error('skipTotal'))
  return isTrue
}
