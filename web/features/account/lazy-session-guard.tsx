import { useEffect, useState, type ComponentType } from 'react'
import { useSession } from '#web/api/session.ts'

/** Brings a reader's session its guard. Visitors wait for nothing and fetch none of it. */
export function LazySessionGuard() {
  const isReader = Boolean(useSession())
  const [Guard, setGuard] = useState<ComponentType>()
  useEffect(() => {
    if (!isReader) return
    void import('./session-guard.tsx').then(
      (guard) => setGuard(() => guard.default),
      // Without it the tab learns with its next write.
      () => undefined,
    )
  }, [isReader])
  return isReader && Guard ? <Guard /> : null
}
