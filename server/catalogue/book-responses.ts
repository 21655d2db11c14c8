import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { CatalogueBusy, preferredMarcLanguage } from '#catalogue/index.ts'
import { ApiError } from '#records/index.ts'

/** A book on the wire. */
export const bookSchema = z
  .object({
    id: z.string(),
    ids: z.object({
      google: z.string().optional(),
      openlibrary: z.string().optional(),
      work: z.string().optional(),
      gutenberg: z.string().optional(),
      standard_ebooks: z.string().optional(),
      librivox: z.string().optional(),
      archive: z.string().optional(),
    }),
    title: z.string(),
    subtitle: z.string().optional(),
    authors: z.array(z.string()),
    genres: z.array(z.string()),
    image_links: z.array(z.string()),
    page_count: z.number(),
    isbns: z.object({ ISBN_10: z.string().optional(), ISBN_13: z.string().optional() }),
    description: z.string(),
    published_date: z.string(),
    publisher: z.string(),
    language: z.string(),
    slug: z.string(),
    format: z.string().optional(),
  })
  .openapi('Book')

/** Why a book answers a description. */
export const matchSchema = z.object({ subjects: z.array(z.string()), sentence: z.string() })

/** Of answers that show editions in the reader's language. */
export const varyByLanguage = 'Origin, Accept-Language'

/** @throws ApiError 503 when the catalogue has too much to do */
export async function orBusyError<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof CatalogueBusy)
      throw new ApiError(503, 'The catalogue is busy. Please try again in a moment.', {}, error)
    throw error
  }
}

/** @returns the code of the language the caller's browser likes best; '' when it says none */
export function readersLanguage(c: Context): string {
  const accepted = c.req.header('accept-language')
  return accepted ? preferredMarcLanguage(accepted) : ''
}

/** The same for everyone, and it changes only when the catalogue is built anew. */
export const sharedCacheHeaders = { 'Cache-Control': 'public, max-age=300' }

/** Another try may bring more: a source that was silent, or was not asked. */
export const noCacheHeaders = { 'Cache-Control': 'no-cache' }
