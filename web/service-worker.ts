/**
 * Caches a reader's own library for reading offline. This file imports nothing: the build strips its
 * types and prepends the list of files to cache.
 *
 * Requests go to the server first, and the cache answers only if the server doesn't. So a new build
 * is used from the next page on, and nobody sees what they may no longer see. The cache belongs to
 * one reader and is cleared whenever anybody signs in or out.
 */
declare const build: {
  version: string
  assets: readonly string[]
  /** Direction and messages of the offline page, by language. */
  languages: Readonly<Record<string, Readonly<Record<string, string>>>>
  style: string
}

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}
/** A message from a page. */
interface Message {
  /** The signed-in reader's id; empty if there is none. */
  reader?: string
  /** Pages of theirs to keep. */
  keep?: readonly string[]
  /** Store them again, however recent they are. */
  isChanged?: boolean
  /** The page of the library that the reader is looking at. */
  seen?: string
}
interface ExtendableMessageEvent extends ExtendableEvent {
  readonly data: Message
  readonly source: { postMessage(message: unknown, transfer: []): void } | null
}
interface ServiceWorkerScope {
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listener: (event: ExtendableMessageEvent) => void): void
}

const worker = self as unknown as ServiceWorkerScope
const assets = `octavo-assets-${build.version}`
const covers = 'octavo-covers'
/** Pages and pictures of the one reader, and who that is. */
const pages = 'octavo-pages'
const readerPath = '/octavo-reader'
/** The page of the library that the reader saw last. */
const lastSeen = '/octavo-last'
/** The page that opens for the installed app and for the bare address. */
const starts = ['/', '/explore']

/** Covers that are kept, the newest. */
const maxCovers = 300
/** Own pages that are kept, the newest. */
const maxPages = 60
/** A page cached more recently than this is not fetched again, in milliseconds. */
const fresh = 60_000

/** How long to wait for a page before showing the cached one, in milliseconds. */
const patience = 8000

/** Counts sign-ins and sign-outs, so that an earlier request is not cached after one. */
let epoch = 0
/** Whether the server did not answer the last time. */
let isOffline = false

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))
worker.addEventListener('message', (event) => event.waitUntil(onMessage(event)))
worker.addEventListener('fetch', (event) => {
  const answer = answerTo(event.request, (work) => event.waitUntil(work))
  if (answer) event.respondWith(answer)
})

/** Files of the last build that are also of this one are not fetched again. */
async function install(): Promise<void> {
  const cache = await caches.open(assets)
  await Promise.all(
    build.assets.map(async (path) => {
      const known = (await caches.match(path)) ?? (await fetch(path))
      if (known.ok) await cache.put(path, known)
    }),
  )
  await worker.skipWaiting()
}

/** Pages of an earlier build ask for files of that build: they go with those. */
async function activate(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name !== assets && name !== covers).map((name) => caches.delete(name)),
  )
  await worker.clients.claim()
}

async function onMessage({ data, source }: ExtendableMessageEvent): Promise<void> {
  if (data.reader !== undefined) await setReader(data.reader)
  if (data.seen !== undefined && (await currentReader()))
    await put(pages, lastSeen, new Response(data.seen), maxPages * 4)
  for (const path of data.keep ?? []) await keepPage(path, data.isChanged ?? false)
  source?.postMessage({ isOffline }, [])
}

/** Handles messages in turn, as two at once could delete each other's pages. */
let readerChange = Promise.resolve()

function setReader(reader: string): Promise<void> {
  const next = async () => {
    if ((await currentReader()) === reader) return
    await forget()
    if (reader) await (await caches.open(pages)).put(readerPath, new Response(reader))
  }
  readerChange = readerChange.then(next, next)
  return readerChange
}

async function currentReader(): Promise<string> {
  const known = await caches.match(readerPath, { cacheName: pages })
  return known ? known.text() : ''
}

async function forget(): Promise<void> {
  epoch += 1
  await caches.delete(pages)
}

function answerTo(
  request: Request,
  later: (work: Promise<unknown>) => void,
): Promise<Response> | undefined {
  const { pathname, origin } = new URL(request.url)
  if (origin !== location.origin) return undefined
  if (request.method !== 'GET')
    return endsSession(request, pathname) ? forgetAndFetch(request) : undefined
  if (pathname.startsWith('/assets/')) return fromCache(request, assets)
  // Covers that readers linked are only for those who may see the book.
  if (/^\/covers\/(?!linked\/)/.test(pathname)) return fromCache(request, covers, later)
  if (request.mode === 'navigate') return showPage(request)
  if (/^\/(?:covers|api\/files)\//.test(pathname)) return showPicture(request, later)
  return undefined
}

/** The signed-in reader may differ before and after it. */
function endsSession({ method }: Request, path: string): boolean {
  if (method === 'POST')
    return /^\/(?:login|signup|menu|auth\/(?:reset-password|confirm-email-change))$|\/(?:auth-with-[\w-]+|confirm-(?:password-reset|email-change)|impersonate\/\w+|auth\/logout|account\/reset)$/.test(
      path,
    )
  return method === 'DELETE' && /\/(?:users\/records\/\w+|users\/sessions(?:\/\w+)?)$/.test(path)
}

async function forgetAndFetch(request: Request): Promise<Response> {
  await forget()
  try {
    return await fetch(request)
  } finally {
    // A request that started in between may still belong to the previous reader.
    await forget()
  }
}

async function fromCache(
  request: Request,
  name: string,
  later?: (work: Promise<unknown>) => void,
): Promise<Response> {
  const known = await caches.match(request, { cacheName: name, ignoreVary: true })
  if (known) return known
  // WebKit holds a request for a script or a worker against this worker's own policy, which has none.
  const { url, headers } = request
  const answer = await fetch(url, { headers })
  if (answer.ok) {
    const copy = answer.clone()
    later?.(put(name, url, copy, maxCovers))
  }
  return answer
}

async function showPage(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const kept = async () =>
    (await keptPage(pathname + search)) ?? (search ? await keptPage(pathname) : undefined)
  const asked = fetch(request)
  let timer: ReturnType<typeof setTimeout> | undefined
  // Some networks swallow what is asked, and nobody says so.
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patience)
  })
  try {
    const answer = await Promise.race([asked, silence])
    const instead = answer ? undefined : await kept()
    isOffline = instead !== undefined
    return instead ?? (await asked)
  } catch {
    isOffline = true
    return (await kept()) ?? (starts.includes(pathname) ? openLast() : offlinePage())
  } finally {
    clearTimeout(timer)
    asked.catch(() => undefined)
  }
}

/** Explore and the landing page are of no use now: the own library as it was left, which says so. */
async function openLast(): Promise<Response> {
  const last = (await (await keptPage(lastSeen))?.text()) ?? ''
  return (await keptPage(last)) ? Response.redirect(`${last}#instead`, 302) : offlinePage()
}

function keptPage(path: string): Promise<Response | undefined> {
  return caches.match(path, { cacheName: pages, ignoreVary: true })
}

async function showPicture(
  request: Request,
  later: (work: Promise<unknown>) => void,
): Promise<Response> {
  const began = epoch
  try {
    const answer = await fetch(request)
    if (answer.ok && (await currentReader()) && began === epoch)
      later(put(pages, request.url, answer.clone(), maxPages * 4))
    return answer
  } catch (error) {
    const known = await caches.match(request, { cacheName: pages, ignoreVary: true })
    if (known) return known
    throw error
  }
}

/** Keeps a page as the server draws it, with the files that it alone needs. */
async function keepPage(path: string, isChanged: boolean): Promise<void> {
  const began = epoch
  if (!(await currentReader())) return
  const known = await keptPage(path)
  if (known && !isChanged && isFresh(known)) return
  const answer = await fetch(path, { credentials: 'same-origin' }).catch(() => undefined)
  if (!answer?.ok || answer.redirected) return
  const text = await answer.text()
  const headers = new Headers(answer.headers)
  headers.set('x-kept', String(Date.now()))
  await keepAssets(text)
  if (began === epoch) await put(pages, path, new Response(text, { headers }), maxPages * 4)
}

/** A page from the future was kept while the clock was ahead. */
function isFresh(page: Response): boolean {
  const age = Date.now() - Number(page.headers.get('x-kept'))
  return age >= 0 && age < fresh
}

/** The list of the build has all but what the page's maker adds, such as its map of screens. */
async function keepAssets(page: string): Promise<void> {
  const named = new Set(page.match(/\/assets\/[\w.-]+\.(?:js|css)/g))
  // The build that replaced this one has deleted it; opening it would leave it there for good.
  if (!(await caches.has(assets))) return
  const cache = await caches.open(assets)
  for (const path of named) {
    if (await cache.match(path)) continue
    const answer = await fetch(path).catch(() => undefined)
    if (answer?.ok) await cache.put(path, answer)
  }
}

/** Puts it into a cache and takes the oldest out; never makes a cache that was taken away. */
async function put(name: string, url: string, answer: Response, most: number): Promise<void> {
  if (name === pages && !(await caches.has(name))) return
  const cache = await caches.open(name)
  await cache.delete(url, { ignoreVary: true })
  await cache.put(url, answer)
  const [first, ...rest] = await cache.keys()
  // The first entry names the reader whose pages these are, so it stays.
  const old = name === pages ? rest : first ? [first, ...rest] : rest
  for (const request of old.slice(0, Math.max(0, old.length - most))) await cache.delete(request)
}

/** For a page that was not kept: what was. */
async function offlinePage(): Promise<Response> {
  const links: string[] = []
  let language = ''
  if (await caches.has(pages)) {
    const cache = await caches.open(pages)
    for (const request of await cache.keys()) {
      const kept = await cache.match(request)
      if (!kept?.headers.get('content-type')?.startsWith('text/html')) continue
      const text = await kept.text()
      const title = /<title>([^<|]*)/.exec(text)?.[1]?.trim()
      language = /<html lang="([\w-]+)"/.exec(text)?.[1] ?? language
      const { pathname, search } = new URL(request.url)
      if (title) links.push(`<li><a href="${attribute(pathname + search)}">${title}</a></li>`)
    }
  }
  const lang = build.languages[language] ? language : browserLanguage()
  const t = (key: string) => build.languages[lang]?.[key] ?? ''
  const list = links.length > 0 ? `<h2>${t('page.saved')}</h2><ul>${links.join('')}</ul>` : ''
  return new Response(
    `<!doctype html><html lang="${lang}" dir="${t('dir')}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${t('page.title')} | Octavo</title><style>${font('Newsreader', 'newsreader-latin-wght')}${font('Inter', 'inter-latin-wght')}${build.style}</style><header><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="6"/><g fill="none" stroke="#fff" stroke-width="2.6"><circle cx="14" cy="11" r="4.2"/><circle cx="14" cy="20.4" r="5.2"/><circle cx="23.4" cy="8.6" r="2.3" stroke-width="1.8"/></g></svg>Octavo</header><main><h1>${t('page.heading')}</h1><p>${t('page.text')}</p><a class="again" href="">${t('tryAgain')}</a>${list}</main></html>`,
    {
      status: 503,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'",
      },
    },
  )
}

const primary = (tag: string) => tag.split('-')[0]

/** For when no kept page tells the reader's own. */
const browserLanguage = () =>
  Object.keys(build.languages).find((tag) => primary(tag) === primary(navigator.language)) ?? 'en'

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** A font of Octavo's, which is kept with its scripts. */
function font(family: string, file: string): string {
  const path = build.assets.find((one) => one.includes(file))
  return `@font-face{font-family:${family};font-weight:200 900;src:url(${path})}`
}
