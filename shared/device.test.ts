import { expect, it } from 'vitest'
import { deviceName } from './device.ts'

const mozilla = 'Mozilla/5.0'

it.each([
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0`,
    'Edge',
    'Windows',
  ],
  [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox', 'Linux'],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1`,
    'Safari',
    'iPhone',
  ],
  [`${mozilla} (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
  ['<b>Your bank</b>', '', ''],
  ['', '', ''],
])('%s', (agent, browser, system) => {
  const name = deviceName(agent, (key, values = {}) => [key, ...Object.values(values)].join(' '))
  expect(name).toBe(browser ? `deviceOn ${browser} ${system}` : 'unknownDevice')
})
