import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, type ComponentProps } from 'react'
import { Link, useLocation } from 'react-router'
import type { User } from '#shared/account.ts'
import {
  isAnythingWaiting,
  outboxKey,
  setOutboxLoader,
  useOutboxChanges,
} from '#web/api/outbox-changes.ts'
import { noteServerTime } from '#web/api/server-time.ts'
import { loginPath } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { loadCode } from '#web/ui/load-code.ts'
import { sentenceSpace } from '#web/i18n/format.ts'
import { t } from '#web/i18n/offline.ts'
import { Banner } from './banner.tsx'
import { changeQueuedEvent } from './change-queued-event.ts'
import { cachePages, clearPageCache, onNewServiceWorker, startServiceWorker } from './worker.ts'
import { keys } from '#web/api/query-keys.ts'

type OutboxSender = typeof import('./outbox-sender.tsx').default

/** Milliseconds between two looks at whether the server answers again. */
const lookAgain = 10_000

/** Keeps the reader's library for use offline, and shows a banner while offline. */
export default function Offline({ reader }: { reader: User | undefined }) {
  const [isOffline, setOffline] = useState(() => !navigator.onLine)
  const queries = useQueryClient()
  const isOutboxNeeded = useIsOutboxNeeded(reader?.id, isOffline)
  useKept(reader, setOffline)
  useEffect(() => {
    const lost = () => setOffline(true)
    // What a browser says of its connection may be wrong.
    const doubt = async () => setOffline(!(await isReached()))
    const warned = () => void doubt()
    if (!navigator.onLine) warned()
    window.addEventListener('offline', warned)
    window.addEventListener(changeQueuedEvent, lost)
    return () => {
      window.removeEventListener('offline', warned)
      window.removeEventListener(changeQueuedEvent, lost)
    }
  }, [])
  useEffect(() => {
    if (!isOffline) return
    const look = async () => {
      if (!(await isReached())) return
      setOffline(false)
      void queries.invalidateQueries()
    }
    const timer = setInterval(() => void look(), lookAgain)
    const back = () => void look()
    window.addEventListener('online', back)
    window.addEventListener('octavo:look', back)
    window.addEventListener('click', leaveWhole, true)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', back)
      window.removeEventListener('octavo:look', back)
      window.removeEventListener('click', leaveWhole, true)
    }
  }, [isOffline, queries])
  if (!reader) return <output className="contents">{isOffline ? null : <WaitingBanner />}</output>
  return (
    <>
      <output className="contents">{isOffline ? <OfflineBanner /> : null}</output>
      {isOutboxNeeded ? (
        <LazyOutboxSender user={reader.id} isOffline={isOffline} setOffline={setOffline} />
      ) : null}
    </>
  )
}

/** A page does without the queue when its code can't be fetched, until the connection is back. */
function LazyOutboxSender(props: ComponentProps<OutboxSender>) {
  const { data: Loaded } = useQuery({
    queryKey: keys.outboxCode,
    queryFn: async () => (await loadCode(() => import('./outbox-sender.tsx'))).default,
    staleTime: Number.POSITIVE_INFINITY,
    // The worker has it also without a connection.
    networkMode: 'always',
  })
  return Loaded ? <Loaded {...props} /> : null
}

/** @returns whether the queue's code is needed: something is to be kept, or was and may still wait */
function useIsOutboxNeeded(user: string | undefined, isOffline: boolean): boolean {
  const [isWanted, setWanted] = useState(false)
  // It stays when the connection is back, to send what was kept.
  if (isOffline && !isWanted) setWanted(true)
  useEffect(() => {
    setOutboxLoader(() => setWanted(true))
    return () => setOutboxLoader(undefined)
  }, [])
  return isWanted || (user !== undefined && localStorage.getItem(outboxKey(user)) !== null)
}

function OfflineBanner() {
  // The worker leads here from where Octavo opens, which is not kept.
  const isInstead = useLocation().hash === '#instead'
  const { length } = useOutboxChanges()
  return (
    <Banner
      action={
        <Button size="sm" onClick={() => window.dispatchEvent(new Event('octavo:look'))}>
          {t('tryAgain')}
        </Button>
      }
    >
      <strong className="font-medium">{t('youreOffline')}</strong>
      {sentenceSpace()}
      {isInstead ? t('thePageYouOpenedIsnt') + sentenceSpace() : null}
      {length === 0 ? t('thisIsYourLibraryAs') : t('changesKept', { count: length })}
    </Banner>
  )
}

/** After a session has ended: only the reader's next one can send what waits. */
function WaitingBanner() {
  const { pathname, search } = useLocation()
  if (pathname === '/login' || !isAnythingWaiting()) return null
  return (
    <Banner
      action={
        <Button size="sm" asChild>
          <Link to={loginPath(pathname + search)}>{t('login')}</Link>
        </Button>
      }
    >
      {t('changesWaitForSignIn')}
    </Banner>
  )
}

/** Tells the worker who reads, and which of their pages to keep. */
function useKept(reader: User | undefined, setOffline: (isOffline: boolean) => void): void {
  const { pathname } = useLocation()
  const queries = useQueryClient()
  const id = reader?.id
  const home = reader ? `/u/${reader.username}` : ''
  useEffect(() => startServiceWorker(setOffline), [setOffline])
  useEffect(() => {
    if (!id) {
      void clearPageCache()
      return
    }
    const paths = ['', '/books', '/shelves', '/wishlist'].map((tab) => home + tab)
    const keepAll = () => void cachePages({ reader: id, keep: paths })
    keepAll()
    return onNewServiceWorker(keepAll)
  }, [id, home])
  useEffect(() => {
    if (!id || !isOwn(queries, pathname, { id, home })) return
    const keepThis = () => void cachePages({ reader: id, keep: [pathname], seen: pathname })
    // The current screen first.
    const timer = setTimeout(keepThis, 2000)
    const end = onNewServiceWorker(keepThis)
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [id, home, pathname, queries])
  const shown = useEffectEvent(() => pathname)
  useEffect(() => {
    if (!id) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const changed = new Set<string>()
    const end = queries.getMutationCache().subscribe(({ type, mutation }) => {
      if (type !== 'updated' || mutation?.state.status !== 'success') return
      clearTimeout(timer)
      changed.add(`${home}/books`)
      if (isOwn(queries, shown(), { id, home })) changed.add(shown())
      // Also if the reader navigates at once.
      timer = setTimeout(() => {
        void cachePages({ reader: id, keep: [...changed], isChanged: true })
        changed.clear()
      }, 1500)
    })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [id, home, queries])
}

/** Whether a page is of the reader's own library. */
function isOwn(
  queries: QueryClient,
  path: string,
  { id, home }: { id: string; home: string },
): boolean {
  if (path === home || path.startsWith(`${home}/`)) return true
  const shelf = /^\/shelf\/(\w+)$/.exec(path)?.[1]
  return Boolean(shelf) && queries.getQueryData<{ user: string }>(['shelf', shelf])?.user === id
}

async function isReached(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(lookAgain)
    const { ok, headers } = await fetch('/api/health', { cache: 'no-store', signal })
    noteServerTime(headers.get('Date'))
    return ok
  } catch {
    return false
  }
}

/** Without a connection a link opens its page whole, as it was kept; the router would ask for parts. */
function leaveWhole(event: MouseEvent): void {
  const link = (event.target as Element).closest?.('a[href]')
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.stopImmediatePropagation()
}
