import type { InfiniteData, QueryKey, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ListResult } from 'pocketbase'
import type { ReactNode } from 'react'
import { dataError, isNotFound, isSignedOut } from '#web/api/errors.ts'
import { morePages } from '#web/api/more-pages.ts'
import type { Page } from '#web/api/pages-in-sight.ts'
import { usePagesInSight } from '#web/api/use-pages-in-sight.ts'
import { uniqueRecords } from '#web/api/unique-records.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { InfiniteList } from '#web/ui/infinite-list.tsx'
import { Part } from '#web/ui/part.tsx'

/**
 * A list of records in each of its states: loading, failed, empty and full.
 *
 * @param children draws the loaded records, all pages in one
 */
export function ListStates<T extends { id: string }>(props: {
  queryKey: QueryKey
  query: UseInfiniteQueryResult<InfiniteData<Page<ListResult<T>>>>
  status: (shown: number, total: number) => string
  skeleton: ReactNode
  empty: ReactNode
  children: (records: T[]) => ReactNode
}) {
  const { queryKey, query, status, skeleton, empty, children } = props
  const list = usePagesInSight(queryKey, query, ({ items }) => items.map(({ id }) => id))
  const pages = query.data?.pages ?? []
  const records = uniqueRecords(pages.flatMap((page) => page.items))
  if (query.isPending) return skeleton
  // Not there, or not for this viewer: that is the whole screen's matter.
  if (query.error && (isNotFound(query.error) || isSignedOut(query.error))) throw query.error
  if (query.isError && records.length === 0) return <ErrorState {...dataError(query)} />
  if (records.length === 0) return empty
  return (
    <InfiniteList
      ref={list}
      {...morePages(query)}
      status={status(records.length, totalOf(query.data))}
      skeleton={skeleton}
    >
      <Part>{children(records)}</Part>
    </InfiniteList>
  )
}

/** @returns how many records there are in all, as the newest page says; 0 while unknown */
export function totalOf<T>(data: InfiniteData<Page<ListResult<T>>> | undefined): number {
  const pages = data?.pages ?? []
  return (pages.findLast(({ isOld }) => !isOld) ?? pages.at(-1))?.totalItems ?? 0
}
