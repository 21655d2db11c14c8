import { QueryClient } from '@tanstack/react-query'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createBrowserClient } from './client.ts'
import { keys } from './query-keys.ts'
import { watchSession } from './session-watch.ts'

/**
 * A reader whose session has run out.
 *
 * @param signsIn whether they sign in again when asked
 */
function openRunOut({ signsIn = true, isReader = true } = {}) {
  onTestFinished(() => void vi.unstubAllGlobals())
  // In the background: no stream is opened.
  const page = { addEventListener: vi.fn(), removeEventListener: vi.fn() }
  vi.stubGlobal('document', {
    ...page,
    visibilityState: 'hidden',
    documentElement: { dataset: {} },
  })
  let isOver = true
  const sent: string[] = []
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit = {}) => {
    sent.push(`${method} ${path}`)
    return isOver ? Response.json({}, { status: 401 }) : Response.json({ items: [] })
  })
  const queries = new QueryClient()
  queries.setQueryData(keys.session, isReader ? { user: { id: 'ann' } } : null)
  const askAgain = vi.fn(async () => {
    isOver = !signsIn
    return signsIn
  })
  const onEnd = vi.fn()
  const api = createBrowserClient()
  onTestFinished(watchSession({ api, queries, askAgain, onEnd }))
  return { api, queries, sent, askAgain, onEnd }
}

it('makes calls once more after the reader has signed in again, and asks once for all', async () => {
  const { api, queries, sent, askAgain, onEnd } = openRunOut()
  const calls = [api.send('/a', { method: 'GET' }), api.send('/b', { method: 'POST' })]
  expect(await Promise.all(calls)).toEqual([{ items: [] }, { items: [] }])
  expect(askAgain).toHaveBeenCalledOnce()
  expect(sent.toSorted()).toEqual(['GET /a', 'GET /a', 'POST /b', 'POST /b'])
  expect(queries.getQueryData(keys.session)).not.toBeNull()
  expect(onEnd).not.toHaveBeenCalled()
})

it('makes a visitor of a reader who does not sign in again', async () => {
  const { api, queries, sent, onEnd } = openRunOut({ signsIn: false })
  await expect(api.send('/a', { method: 'GET' })).rejects.toMatchObject({ status: 401 })
  expect(sent).toEqual(['GET /a'])
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce())
  expect(queries.getQueryData(keys.session)).toBeNull()
})

it('keeps the page of a reader whose write was refused, with what they typed', async () => {
  const { api, queries, onEnd } = openRunOut({ signsIn: false })
  await expect(api.send('/b', { method: 'POST' })).rejects.toMatchObject({ status: 401 })
  expect(onEnd).not.toHaveBeenCalled()
  expect(queries.getQueryData(keys.session)).not.toBeNull()
})

it.each([
  ['a visitor', '/a', { isReader: false }],
  ['who signs in with a wrong password', '/api/collections/users/auth-with-password', {}],
])('asks nothing of %s', async (_name, path, given) => {
  const { api, askAgain } = openRunOut(given)
  await expect(api.send(path, { method: 'POST' })).rejects.toMatchObject({ status: 401 })
  expect(askAgain).not.toHaveBeenCalled()
})
