import {
  InfiniteQueryObserver,
  infiniteQueryOptions,
  type QueryFunctionContext,
  type QueryKey,
} from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pageByPage, showPages, type Page } from './pages-in-sight.ts'
import { createQueryClient } from './query-client.ts'

const queryKey = ['list']

/** A list of three pages on the screen, and which pages are fetched. */
async function showList() {
  const queries = createQueryClient()
  let version = 1
  const fetched = vi.fn(async ({ pageParam }: QueryFunctionContext<QueryKey, number>) => ({
    text: `${pageParam} of ${version}`,
  }))
  const list = infiniteQueryOptions({
    queryKey,
    queryFn: pageByPage(fetched),
    initialPageParam: 1,
    getNextPageParam: (_last, _pages, page) => (page < 3 ? page + 1 : undefined),
  })
  await queries.infiniteQuery({ ...list, pages: 3 })
  const observer = new InfiniteQueryObserver(queries, list)
  onTestFinished(observer.subscribe(() => undefined))
  const inSight = new Set<number>()
  const { catchUp, hide } = showPages(
    queryKey,
    (page) => inSight.has(page),
    () => observer.refetch({ cancelRefetch: false }),
  )
  onTestFinished(hide)
  fetched.mockClear()
  const pages = () => (observer.getCurrentResult().data?.pages ?? []) as Page<{ text: string }>[]
  return {
    inSight,
    catchUp: () => catchUp(pages()),
    texts: () => pages().map(({ text }) => text),
    fetchedPages: () => fetched.mock.calls.map(([{ pageParam }]) => pageParam),
    change: () => {
      version++
      return queries.invalidateQueries({ queryKey })
    },
    refetch: () => observer.refetch(),
    hide,
  }
}

test('a change has only the pages in sight fetched, others when they come into sight', async () => {
  const list = await showList()
  list.inSight.add(1)
  await list.change()
  expect(list.fetchedPages()).toEqual([2])
  expect(list.texts()).toEqual(['1 of 1', '2 of 2', '3 of 1'])

  // It scrolls on: what is fresh isn't fetched again, neither then nor on the way back.
  list.inSight.add(2)
  list.catchUp()
  list.catchUp()
  await expect.poll(list.texts).toEqual(['1 of 1', '2 of 2', '3 of 2'])
  list.inSight.delete(2)
  list.inSight.add(0)
  list.catchUp()
  await expect.poll(list.texts).toEqual(['1 of 2', '2 of 2', '3 of 2'])
  list.catchUp()
  expect(list.fetchedPages()).toEqual([2, 3, 1])
})

test('a fetch that was asked for brings the pages in sight anew', async () => {
  const list = await showList()
  list.inSight.add(0).add(1)
  await list.refetch()
  expect(list.fetchedPages()).toEqual([1, 2])
})

test('of a list that is not on the screen the first page is fetched', async () => {
  const list = await showList()
  list.hide()
  await list.change()
  expect(list.fetchedPages()).toEqual([1])
})
