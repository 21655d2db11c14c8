import { ClientResponseError } from 'pocketbase'
import { UNSAFE_ErrorResponseImpl as ErrorAnswer } from 'react-router'
import { expect, test } from 'vitest'
import { withErrorMessage } from '#web/api/errors.ts'
import { failure } from './error-page.tsx'

const answer = (status: number, message?: string) =>
  new ErrorAnswer(status, '', message === undefined ? undefined : { message })
const refused = (status: number, message: string) =>
  new ClientResponseError({ url: '/', status, response: { status, message, data: {} } })

test('a sentence written for the reader is shown with its status', () => {
  const said = { status: 404, message: 'User profile not found.' }
  expect(failure(answer(404, said.message))).toEqual(said)
  expect(failure(refused(404, said.message))).toEqual(said)
})

test("the record service's word for a missing record gives way to the screen's", () => {
  expect(failure(answer(404, "The requested resource wasn't found."))).toEqual({ status: 404 })
})

test('what a program is told that shows no session gives way to the screen’s words', () => {
  const words = 'The request requires valid record authorization token.'
  expect(failure(refused(401, words))).toEqual({ status: 401 })
})

test('what went wrong inside is not told', () => {
  expect(failure(answer(503, 'the disk of this machine is full'))).toEqual({ status: 503 })
  expect(failure(new TypeError('x is not a function'))).toEqual({ status: 500 })
  expect(failure(undefined)).toEqual({ status: 500 })
})

test('a sentence of the screen itself is shown whatever failed', async () => {
  const said = { status: 503, message: 'failed to get requested profile data.' }
  expect(failure(new ErrorAnswer(503, '', { sentence: said.message }))).toEqual(said)
  const broken = () => Promise.reject(refused(503, 'the disk of this machine is full'))
  const error: unknown = await withErrorMessage(said.message, broken).catch((one: unknown) => one)
  expect(failure(error)).toEqual(said)
})

test('no answer at all reads as 500', () => {
  expect(failure(new ClientResponseError({ url: '/', status: 0 }))).toEqual({ status: 500 })
})
