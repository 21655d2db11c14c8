import { expect, test } from 'vitest'
import { cameraFailure } from './camera.ts'

test.each([
  ['NotAllowedError', 'denied'],
  ['NotFoundError', 'none'],
  ['OverconstrainedError', 'none'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'busy'],
  ['InvalidStateError', 'broken'],
])('%s means that the camera is %s', (name, failure) =>
  expect(cameraFailure(new DOMException('', name))).toBe(failure),
)

test('what is no error is no reason', () => expect(cameraFailure('no')).toBe('broken'))
