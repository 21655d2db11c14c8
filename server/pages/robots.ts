import { escapeUTF8 } from 'entities'
import { Hono } from 'hono'
import type { Catalogue } from '#catalogue/index.ts'
import type { Database } from '#records/index.ts'
import { authorPath, seriesPath } from '#shared/series.ts'
import { listPublicUsernames } from '#server/library/directory.ts'

/** Public screens that don't depend on the library. */
const screens = ['/', '/explore', '/users', '/pricing', '/contact', '/privacy', '/terms']

/** A sitemap may have 50,000 addresses. */
const maxReaders = 40_000

/**
 * `/robots.txt` and `/sitemap.xml`, for search engines. The sitemap lists the public screens, the
 * curated books with their authors and series, and public profiles, newest first.
 *
 * @param deps.appUrl the site's address, without a trailing slash
 */
export function robotsRoutes(deps: {
  database: Database
  catalogue: Pick<Catalogue, 'curated'>
  appUrl: string
}): Hono {
  const { database, catalogue, appUrl } = deps
  return new Hono()
    .get('/robots.txt', (c) => c.text(robots(appUrl), 200, { 'Cache-Control': 'public, no-cache' }))
    .get('/sitemap.xml', async (c) => {
      const [{ classics, manga }, readers] = await Promise.all([
        catalogue.curated(),
        listPublicUsernames(database, maxReaders),
      ])
      const books = [...classics, ...manga]
      const paths = [
        ...screens,
        ...books.map(({ slug }) => `/book/${slug}`),
        ...books.flatMap(({ series = [] }) => series.map(seriesPath)),
        ...books.flatMap(({ authors, author_ids: ids = [] }) =>
          ids.map((id, place) => authorPath({ id, name: authors[place] ?? '' })),
        ),
        ...readers.map((name) => `/u/${encodeURIComponent(name)}`),
      ]
      // Not cached, so that a profile that becomes private disappears at once.
      const headers = { 'Content-Type': 'application/xml', 'Cache-Control': 'public, no-cache' }
      return c.body(sitemap([...new Set(paths)].map((path) => appUrl + path)), 200, headers)
    })
}

/** Excludes mailed links and readers' own screens, but no picture of a link preview. */
function robots(appUrl: string): string {
  const closed = [
    '/api/',
    '/account/',
    '/auth/',
    '/dav/',
    '/feeds/',
    '/kosync/',
    '/lite',
    '/mailbox',
    '/readwise/',
  ]
  return [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    'Allow: /api/v1/users/*/year/',
    '',
    `Sitemap: ${appUrl}/sitemap.xml`,
    '',
  ].join('\n')
}

function sitemap(addresses: readonly string[]): string {
  const urls = addresses.map((address) => `<url><loc>${escapeUTF8(address)}</loc></url>`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n')
}
