import { z } from '@hono/zod-openapi'

/** A book on the wire. */
export const book = z.object({
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

/** Why a book answers a description. */
export const match = z.object({ subjects: z.array(z.string()), sentence: z.string() })

/** What a call answers when all is well. */
export const answers = <Data extends z.ZodType>(description: string, data: Data) => ({
  200: { description, content: { 'application/json': { schema: z.object({ data }) } } },
})
