import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import { useRevalidator } from 'react-router'
import { getBrowserClient } from '#web/api/client.ts'
import { useApi } from '#web/api/context.ts'
import { removeInactiveQueries, sessionQuery } from '#web/api/session.ts'
import { watchSession } from '#web/api/session-watch.ts'

const SignInAgain = lazy(() => import('./sign-in-again.tsx'))

/** When the reader's session has expired, asks them to sign in again without leaving the page. */
export default function SessionGuard() {
  const api = useApi()
  const queries = useQueryClient()
  const { revalidate } = useRevalidator()
  const [answer, setAnswer] = useState<((isSignedIn: boolean) => void) | null>(null)
  useEffect(() => {
    let open: ((isSignedIn: boolean) => void) | undefined
    const askAgain = () =>
      new Promise<boolean>((resolve) => {
        open = (isSignedIn) => {
          setAnswer(null)
          resolve(isSignedIn)
        }
        const settle = open
        setAnswer(() => settle)
      })
    const end = watchSession({
      api: getBrowserClient(),
      queries,
      askAgain,
      onEnd: () => void revalidate(),
    })
    return () => {
      end()
      open?.(false)
      // However it was found out, nothing of the reader's stays behind.
      if (!queries.getQueryData(sessionQuery(api).queryKey)) removeInactiveQueries(queries)
    }
  }, [api, queries, revalidate])
  return <Suspense>{answer ? <SignInAgain onAnswer={answer} /> : null}</Suspense>
}
