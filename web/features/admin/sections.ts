import { data } from 'react-router'
import { adminReaderSorts } from '#shared/admin.ts'
import {
  adminInvitationsQuery,
  adminJobsQuery,
  adminLogQuery,
  adminReadersQuery,
  adminReportsQuery,
  adminSiteQuery,
  type ReadersAddress,
} from '#web/api/admin.ts'
import type { LoadInput } from '#web/api/load.ts'

/** The sections of the page; the first is at /admin itself. */
export const sections = ['readers', 'invitations', 'reports', 'jobs', 'health', 'log'] as const
export type Section = (typeof sections)[number]

/** @returns the section that the address names; undefined for none */
export function sectionOf(name: string | undefined): Section | undefined {
  if (name === undefined) return sections[0]
  return sections.slice(1).find((section) => section === name)
}

/** @returns the page that the address names, from 1 */
export const pageOf = (search: URLSearchParams): number => {
  const page = Number(search.get('page') ?? 1)
  return Number.isInteger(page) && page > 0 && page <= 100_000 ? page : 1
}

/** @returns which readers the address asks for */
export const readersAddress = (search: URLSearchParams): ReadersAddress => ({
  q: (search.get('q') ?? '').trim().slice(0, 255),
  sort: adminReaderSorts.find((sort) => sort === search.get('sort')) ?? adminReaderSorts[0],
  page: pageOf(search),
})

/** Fetches what a section shows first. @throws a 404 if there is no such section */
export async function loadSection({ api, fetch, params, url }: LoadInput): Promise<void> {
  const section = sectionOf(params['section'])
  if (!section) throw data({}, { status: 404 })
  const { searchParams } = url
  const first = {
    readers: () => fetch(adminReadersQuery(api, readersAddress(searchParams))),
    invitations: () => fetch(adminInvitationsQuery(api)),
    reports: () => fetch(adminReportsQuery(api)),
    jobs: () => fetch(adminJobsQuery(api)),
    health: () => fetch(adminSiteQuery(api)),
    log: () => fetch(adminLogQuery(api, pageOf(searchParams))),
  }
  await first[section]()
}
