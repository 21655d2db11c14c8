import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { languageCookie, type Language } from '#shared/language.ts'
import { chosenLanguage } from './chosen-language.ts'

/** Renders a page whose scripts carry the nonce. */
type Pages = (request: Request, nonce: string) => Promise<Response>

/** Screens that every visitor sees alike, at every visit: the landing page has other books each time. */
const sharedPaths: ReadonlySet<string> = new Set([
  '/explore',
  '/pricing',
  '/contact',
  '/privacy',
  '/terms',
])

/** Milliseconds; browsers keep the same facts for five minutes. */
const life = 60_000
/** Pages at most, one for each screen and language: the language is whatever a visitor says. */
const maxCached = 50

/** A page as it is kept. */
interface CachedPage {
  /** What stands before, between and after the nonces. */
  parts: readonly string[]
  status: number
  headers: Headers
}

/**
 * Renders what every visitor sees alike once a minute, and hands it out again with each answer's
 * own nonce. A request with any cookie but that of a chosen language may be a reader's, and gets a
 * page of its own.
 *
 * @param now milliseconds
 */
export function cachePages(pages: Pages, now: () => number = Date.now): Pages {
  const kept = new LRUCache<string, { page: Promise<CachedPage>; until: number }>({
    max: maxCached,
  })
  // Known to nobody, so that nothing in a page can hold it but where a nonce stands.
  const mark = randomUUID()

  /** With nothing of the one who happens to ask first but the language. */
  async function render(
    url: string,
    acceptLanguage: string,
    chosen: Language | undefined,
  ): Promise<CachedPage> {
    const headers = new Headers({ 'Accept-Language': acceptLanguage })
    if (chosen) headers.set('Cookie', `${languageCookie}=${chosen}`)
    const answer = await pages(new Request(url, { headers }), mark)
    const text = await answer.text()
    return { parts: text.split(mark), status: answer.status, headers: answer.headers }
  }

  /** Who asks at the same time waits for the same page. */
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

  return async (request, nonce) => {
    if (!isShared(request)) return pages(request, nonce)
    const { parts, status, headers } = await find(request)
    // A copy: what comes after this adds to it.
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
