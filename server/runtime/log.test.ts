import { expect, test } from 'vitest'
import { openLog } from './log.ts'

function logged(error: Error): string {
  const lines: string[] = []
  openLog('info', { write: (line) => void lines.push(line) }).warn({ err: error }, 'refused')
  return lines.join('')
}

test('logs an error with its details, and no email address', () => {
  const error = Object.assign(new Error('550 <reader@example.org>: nobody of that name'), {
    code: 'EENVELOPE',
    rejected: ['reader@example.org'],
    inner: [
      { recipient: 'reader@example.org', responseCode: 550 },
      new Error('to a.b+c@d.example'),
    ],
    detail: 'Key (email)=(reader@example.org) already exists.',
  })
  const line = logged(error)
  expect(line).not.toMatch(/reader|a\.b\+c/)
  expect(line).toContain('550 <[address]>: nobody of that name')
  expect(line).toContain('Key (email)=([address]) already exists.')
  expect(line).toContain('Error: to [address]')
  expect(line).toContain('"code":"EENVELOPE"')
  expect(line).toContain('"responseCode":550')
  expect(line).toContain('log.test.ts')
})

test('logs circular values as well', () => {
  const error = new Error('round')
  const ring: { ring?: object } = {}
  ring.ring = ring
  Object.assign(error, { cause: error, self: { error }, ring })
  expect(logged(error)).toContain('round')
})
