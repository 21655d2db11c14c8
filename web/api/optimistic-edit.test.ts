import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { optimisticEdit } from './optimistic-edit.ts'

interface Book {
  page: number
  rating: number
}

const queryKey = ['book']

/** A record in the cache, and the answers that its edits wait for. */
function openBook() {
  const queries = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } })
  queries.setQueryData<Book>(queryKey, { page: 10, rating: 0 })
  const current = () => queries.getQueryData<Book>(queryKey)
  const answers: PromiseWithResolvers<Book>[] = []
  const options = optimisticEdit<Book, Partial<Book>>(queries, {
    mutationKey: ['edits'],
    queryKey,
    current,
    save: () => {
      const answer = Promise.withResolvers<Book>()
      answers.push(answer)
      return answer.promise
    },
    show: (edits, saved = current()) =>
      queries.setQueryData(queryKey, Object.assign({ ...saved }, ...edits)),
  })
  const edit = (change: Partial<Book>) =>
    new MutationObserver(queries, options).mutate(change).catch(() => 'refused')
  const sent = (count: number) => vi.waitFor(() => expect(answers).toHaveLength(count))
  return { current, edit, sent, answers }
}

it('shows an edit at once, and then what the server has made of it', async () => {
  const { current, edit, sent, answers } = openBook()
  const saved = edit({ page: 400 })
  await sent(1)
  expect(current()).toEqual({ page: 400, rating: 0 })
  answers[0]!.resolve({ page: 320, rating: 0 })
  await saved
  expect(current()).toEqual({ page: 320, rating: 0 })
})

it('takes back an edit that the server refuses', async () => {
  const { current, edit, sent, answers } = openBook()
  const saved = edit({ page: 57 })
  await sent(1)
  answers[0]!.reject(new Error('refused'))
  expect(await saved).toBe('refused')
  expect(current()).toEqual({ page: 10, rating: 0 })
})

it('takes back of two edits only the one that is refused', async () => {
  const { current, edit, sent, answers } = openBook()
  const first = edit({ page: 57 })
  const second = edit({ rating: 8 })
  await sent(1)
  expect(current()).toEqual({ page: 57, rating: 8 })
  answers[0]!.reject(new Error('refused'))
  await first
  expect(current()).toEqual({ page: 10, rating: 8 })
  await sent(2)
  answers[1]!.resolve({ page: 10, rating: 8 })
  await second
  expect(current()).toEqual({ page: 10, rating: 8 })
})

it('goes back to what was saved before, not to what was there first', async () => {
  const { current, edit, sent, answers } = openBook()
  const first = edit({ page: 57 })
  const second = edit({ rating: 8 })
  await sent(1)
  answers[0]!.resolve({ page: 57, rating: 0 })
  await first
  await sent(2)
  answers[1]!.reject(new Error('refused'))
  await second
  expect(current()).toEqual({ page: 57, rating: 0 })
})
