import { expect, test } from 'vitest'
import { deviceAddress } from './device-address.ts'

test.each([
  ['https://books.example.org', 'https://books.example.org', 'https://books.example.org', ''],
  ['https://books.example.org', 'http://localhost:3000', 'https://books.example.org', ''],
  ['http://localhost:3000', 'http://192.168.1.5:3000', 'http://192.168.1.5:3000', ''],
  ['http://localhost:3000', 'http://nas.local:3000', 'http://nas.local:3000', ''],
  ['http://localhost:3000', 'http://localhost:3000', 'http://localhost:3000', 'localhost'],
  ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://127.0.0.1:3000', '127.0.0.1'],
  ['http://[::1]:3000', 'http://[::1]:3000', 'http://[::1]:3000', '[::1]'],
])('a device is told to reach %s, open at %s, at %s', (site, page, url, onlyHere) => {
  expect(deviceAddress(site, page)).toEqual({ url, onlyHere })
})
