import { queryOptions } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import type {
  AdminCheck,
  AdminInvitation,
  AdminJobs,
  AdminLogEntry,
  AdminReaders,
  AdminReaderSort,
  AdminReport,
  AdminSite,
} from '#shared/admin.ts'
import type { Page } from '#shared/directory.ts'
import { isApiError } from './errors.ts'
import { fetchData } from './fetch-data.ts'
import { keys } from './query-keys.ts'

const path = '/api/v1/admin'

/** Which readers are listed. */
export interface ReadersAddress {
  q: string
  sort: AdminReaderSort
  page: number
}

function part<T>(api: PocketBase, name: string, query: object = {}) {
  return queryOptions({
    queryKey: keys.adminPart(name, query),
    queryFn: () => fetchData<T>(api, `${path}/${name}`, { query: { ...query } }),
  })
}

export const adminReadersQuery = (api: PocketBase, { q, sort, page }: ReadersAddress) =>
  part<AdminReaders>(api, 'readers', { q, sort, page })
export const adminInvitationsQuery = (api: PocketBase) =>
  part<{ items: AdminInvitation[] }>(api, 'invitations')
export const adminReportsQuery = (api: PocketBase) => part<{ items: AdminReport[] }>(api, 'reports')
export const adminJobsQuery = (api: PocketBase) => part<AdminJobs>(api, 'jobs')
export const adminSiteQuery = (api: PocketBase) => part<AdminSite>(api, 'site')
export const adminChecksQuery = (api: PocketBase) => part<{ items: AdminCheck[] }>(api, 'checks')
export const adminLogQuery = (api: PocketBase, page: number) =>
  part<Page<AdminLogEntry>>(api, 'log', { page })

type Call = (api: PocketBase) => Promise<unknown>

const post =
  <T>(to: string, body: object = {}) =>
  (api: PocketBase) =>
    fetchData<T>(api, `${path}/${to}`, { method: 'POST', body })
const send =
  (method: 'POST' | 'DELETE', to: string): Call =>
  (api) =>
    api.send(`${path}/${to}`, { method })
const ofReader = (username: string) => `readers/${encodeURIComponent(username)}`

export const confirmPassword = (password: string) =>
  post<{ until: string }>('confirmation', { password })
export const makeResetLink = (username: string) =>
  post<{ link: string; expires: string }>(`${ofReader(username)}/reset-link`)
export const signOutReader = (username: string) => send('POST', `${ofReader(username)}/sign-out`)
export const hideReader = (username: string, isHidden: boolean) =>
  send('POST', `${ofReader(username)}/${isHidden ? 'hide' : 'unhide'}`)
export const deleteReader = (username: string) => send('DELETE', ofReader(username))
export const invite = (days: number) =>
  post<AdminInvitation & { link: string }>('invitations', { days })
export const withdrawInvitation = (id: string) => send('DELETE', `invitations/${id}`)
export const closeReport = (id: string) => send('POST', `reports/${id}/close`)
export const sendTestMail = () => post<{ to: string; failure: string }>('test-mail')

/** @returns whether the server first wants the password confirmed in this session */
export function needsConfirmation(error: unknown): boolean {
  if (!isApiError(error) || error.status !== 403) return false
  const fields = error.response['data'] as { confirmation?: unknown } | undefined
  return fields?.confirmation !== undefined
}
