import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { CatalogueBusy, preferredMarcLanguage } from '#catalogue/index.ts'
import { ApiError } from '#records/index.ts'
import answers from '#shared/sentences/answers.json' with { type: 'json' }

/** A book in API responses. */
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
    author_ids: z.array(z.string()).optional(),
    series: z
      .array(z.object({ id: z.string(), name: z.string(), position: z.string() }))
      .optional(),
  })
  .openapi('Book')

/** A series or an author. */
export const namedPageSchema = z.object({ id: z.string(), name: z.string() })

/** Why a book matches a description. */
export const matchSchema = z.object({ subjects: z.array(z.string()), sentence: z.string() })

/** The `Vary` header of answers that prefer editions in the reader's language. */
export const varyByLanguage = 'Origin, Accept-Language'

/** @throws ApiError 503 if the catalogue is overloaded */
export async function orBusyError<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof CatalogueBusy) throw new ApiError(503, answers.catalogueBusy, {}, error)
    throw error
  }
}

/** @returns the code of the browser's preferred language; '' if unknown */
export function readersLanguage(c: Context): string {
  const accepted = c.req.header('accept-language')
  return accepted ? preferredMarcLanguage(accepted) : ''
}

/** For answers that are the same for everyone and change only when the catalogue is rebuilt. */
export const sharedCacheHeaders = { 'Cache-Control': 'public, max-age=300' }

/** For incomplete answers: a source didn't respond or was not asked. */
export const noCacheHeaders = { 'Cache-Control': 'no-cache' }
