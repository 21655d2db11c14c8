import * as z from 'zod'
import { queryNumber } from './form-fields.ts'
import { maxTagsPerPage } from './tags.ts'

/** Tags of one answer unless the query says otherwise. */
export const tagsPerPage = 200

/** A query of a reader's tags. */
export const tagListForm = z.object({
  page: queryNumber(100_000).default(1),
  perPage: queryNumber(maxTagsPerPage).default(tagsPerPage),
})
export type TagListForm = z.infer<typeof tagListForm>

/** A tag with how many of a reader's books carry it. */
export interface TagCount {
  tag: string
  books: number
}

export interface TagPage {
  items: TagCount[]
  page: number
  hasMore: boolean
}
