import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { languageCookie, type Language } from '#shared/language.ts'
import { chosenLanguage } from '#server/http/chosen-language.ts'
import type { RenderPage } from './pages.ts'

/**
 * Screens that are the same for every visitor and visit; the landing page isn't, as its books
 * change.
 */
const sharedPaths: ReadonlySet<string> = new Set([
  '/explore',
  '/pricing',
  '/contact',
  '/privacy',
  '/terms',
])

/** Milliseconds; browsers cache the same data for five minutes. */
const life = 60_000
/** The most pages: one for each screen and language, and clients can send any language. */
const maxCached = 50

/** A cached page. */
interface CachedPage {
  /** The text before, between and after the nonces. */
  parts: readonly string[]
  status: number
  headers: Headers
}

/**
 * Renders shared pages once a minute and sends them with a new nonce each time. A request with any
 * cookie other than the chosen language may be a reader's and isn't cached.
 *
 * @param now milliseconds
 */
export function cachePages(pages: RenderPage, now = () => performance.now()): RenderPage {
  const kept = new LRUCache<string, { page: Promise<CachedPage>; until: number }>({
    max: maxCached,
  })
  // A secret placeholder, so that nothing in a page but the nonces can match it.
  const mark = randomUUID()

  /** Renders without anything of the first caller but the language. */
  async function render(
    url: string,
    acceptLanguage: string,
    chosen: Language | undefined,
  ): Promise<CachedPage> {
    const headers = new Headers({ 'Accept-Language': acceptLanguage })
    if (chosen) headers.set('Cookie', `${languageCookie}=${chosen}`)
    const answer = await pages(new Request(url, { headers }), mark, { isForAll: true })
    const text = await answer.text()
    return { parts: text.split(mark), status: answer.status, headers: answer.headers }
  }

  /** Concurrent requests share one rendering. */
  function find(request: Request): Promise<CachedPage> {
    const { url, headers } = request
    const language = headers.get('accept-language') ?? ''
    const chosen = chosenLanguage(request)
    const key = `${url} ${chosen ?? ''} ${language}`
    const known = kept.get(key)
    if (known && known.until > now()) return known.page
    const page = render(url, language, chosen)
    const made = { page, until: now() + life }
    kept.set(key, made)
    const forget = () => void (kept.get(key) === made && kept.delete(key))
    page.then(({ status }) => status === 200 || forget(), forget)
    return page
  }

  return async (request, nonce, about) => {
    if (!isShared(request)) return pages(request, nonce, about)
    const { parts, status, headers } = await find(request)
    // A copy, as later middleware adds headers.
    return new Response(parts.join(nonce), { status, headers: new Headers(headers) })
  }
}

/** No cookie, or one that names a language. */
const onlyLanguage = new RegExp(`^(?:${languageCookie}=[\\w-]*)?$`)

function isShared({ method, url, headers }: Request): boolean {
  if (method !== 'GET' || headers.has('authorization')) return false
  if (!onlyLanguage.test(headers.get('cookie') ?? '')) return false
  return sharedPaths.has(url.slice(url.indexOf('/', url.indexOf('://') + 3)))
}
