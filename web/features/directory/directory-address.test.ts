import { expect, test } from 'vitest'
import { readDirectory, writeDirectory } from './directory-address.ts'

const read = (address: string, isReader = false) =>
  readDirectory(new URLSearchParams(address), isReader)

test('everybody, newest first, unless the address says otherwise', () => {
  expect(read('')).toEqual({ text: '', q: '', sort: 'newest' })
  expect(read('q=ann&sort=a-z')).toEqual({ text: 'ann', q: 'ann', sort: 'a-z' })
  expect(read('sort=oldest').sort).toBe('newest')
})

test('one character is no search yet, and stays in the box', () => {
  expect(read('q=a')).toEqual({ text: 'a', q: '', sort: 'newest' })
  expect(read('q=%20ab%20').q).toBe('ab')
})

test('a text that is too long keeps its characters whole', () => {
  expect(read(`q=${'a'.repeat(254)}👩‍🚀`).q).toBe('a'.repeat(254))
})

test('similar taste is for readers', () => {
  expect(read('sort=similar', true).sort).toBe('similar')
  expect(read('sort=similar', false).sort).toBe('newest')
})

test('what is usual is not written', () => {
  expect(writeDirectory({ text: ' ', sort: 'newest' })).toEqual({})
  expect(writeDirectory({ text: ' ann', sort: 'a-z' })).toEqual({ q: 'ann', sort: 'a-z' })
})
