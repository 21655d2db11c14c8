import { useMutation, useQueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { useNavigate } from 'react-router'
import { afterLogout } from '#shared/origin.ts'
import { useApi } from './context.ts'
import { clearSearches } from './recent-searches.ts'
import { endSession, removeInactiveQueries } from './session.ts'
import { broadcastSignOut, signOut, whileSigningOut } from './sign-out-notice.ts'

/**
 * Ends the session and leaves for the landing page; nothing read as this reader stays behind.
 *
 * @param end ends it on the server, this one alone unless said otherwise
 * @param onError told when that failed
 */
export function useSignOutMutation(
  onError: (error: unknown) => void,
  end: (api: PocketBase) => Promise<unknown> = signOut,
) {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () =>
      whileSigningOut(async () => {
        await end(api)
        broadcastSignOut()
        clearSearches()
        await endSession(queries)
        await navigate(afterLogout)
        removeInactiveQueries(queries)
      }),
    onError,
  })
}
