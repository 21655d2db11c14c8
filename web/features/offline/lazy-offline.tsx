import { Suspense, useEffect, useState } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { useSession } from '#web/api/session.ts'
import { isVisitor } from '#web/api/visitor-view.ts'

const Offline = lazy(() => import('./offline.tsx'))

/** For readers, and for whoever has something left here from before; nobody else fetches it. */
export function LazyOffline() {
  const reader = useSession()?.user
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    // In development nothing is kept; without https, or where cookies are refused, nothing may be.
    if (!import.meta.env.PROD || !navigator.serviceWorker || !navigator.cookieEnabled) return
    // The reader hasn't signed out: keep the stored pages.
    if (isVisitor()) return
    findKept().then(
      (found) => setWanted((before) => before || Boolean(reader) || found.length > 0),
      // Browsers that are told to keep nothing refuse even to be asked.
      () => undefined,
    )
  }, [reader])
  return <Suspense>{isWanted ? <Offline reader={reader} /> : null}</Suspense>
}

/** @returns the workers and caches of this site */
async function findKept(): Promise<readonly unknown[]> {
  const found = await Promise.all([navigator.serviceWorker.getRegistrations(), caches.keys()])
  return found.flat()
}
