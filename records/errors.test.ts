import { expect, test } from 'vitest'
import { ApiError } from './errors.ts'

test.each([
  ['failed', 'Failed.'],
  ['  failed to read  ', 'Failed to read.'],
  ['is it there?', 'Is it there?'],
  ['gone!', 'Gone!'],
  ['Said.', 'Said.'],
  ['élan', 'Élan.'],
])('%j becomes the sentence %j', (message, sentence) => {
  expect(new ApiError(400, message).message).toBe(sentence)
})

test.each([
  [400, 'Something went wrong while processing your request.'],
  [401, 'Missing or invalid authentication.'],
  [403, 'You are not allowed to perform this request.'],
  [404, "The requested resource wasn't found."],
  [413, 'Request entity too large.'],
  [429, 'Too Many Requests.'],
  [500, 'Something went wrong while processing your request.'],
  [503, 'Something went wrong while processing your request.'],
])('%i without its own message is %j', (status, message) => {
  expect(JSON.stringify(new ApiError(status))).toBe(
    `{"data":{},"message":"${message}","status":${status}}`,
  )
})

test('fields are sorted alphabetically on every level, but not the keys of their errors', () => {
  const error = { code: 'validation_required', message: 'Cannot be blank.', params: { b: 1, a: 2 } }
  const { data } = new ApiError(400, '', { z: error, a: { y: error, b: error } }).toJSON()
  expect(JSON.stringify(data)).toBe(
    `{"a":{"b":${JSON.stringify(error)},"y":${JSON.stringify(error)}},"z":${JSON.stringify(error)}}`,
  )
})
