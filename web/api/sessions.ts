import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { useApi } from './context.ts'
import { keys } from './query-keys.ts'

const path = '/api/collections/users'

interface Place {
  id: string
  created: string
  used: string
  /** The browser's user agent. */
  agent: string
  /** Whether it is the one that asks. */
  isCurrent: boolean
}

/** A reader's sessions and trusted browsers. */
export interface OpenSessions {
  sessions: Place[]
  devices: (Place & { expires: string })[]
}

export function openSessionsQuery(api: PocketBase) {
  return queryOptions({
    queryKey: keys.openSessions,
    queryFn: () => api.send<OpenSessions>(`${path}/sessions`, {}),
  })
}

/** Ends one session, or the trust in one device. */
export function useEndSession({ kind, id }: { kind: 'sessions' | 'trusted-devices'; id: string }) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.send(`${path}/${kind}/${id}`, { method: 'DELETE' }),
    // Whatever came of it, the list is not what it was.
    onSettled: () => queries.invalidateQueries({ queryKey: openSessionsQuery(api).queryKey }),
  })
}

/** Ends every session of the reader, this one too, and the trust in every device. */
export function signOutEverywhere(api: PocketBase): Promise<unknown> {
  return api.send(`${path}/sessions`, { method: 'DELETE' })
}
