import { expect, test } from 'vitest'
import { isProviderUrl } from './provider-url.ts'

const origin = 'https://checkout.stripe.com'

test.each([`${origin}/c/pay/cs_test_1#fragment`, `${origin}:443/c/pay`, `${origin}/`])(
  '%s is the provider',
  (url) => expect(isProviderUrl(url, origin)).toBe(true),
)

test.each([
  'https://checkout.stripe.com.evil.example/c/pay',
  'https://checkout.stripe.com@evil.example/',
  'https://reader@checkout.stripe.com/c/pay',
  'https://evil.example/https://checkout.stripe.com/',
  'https://billing.stripe.com/p/session',
  'https://xcheckout.stripe.com/',
  'http://checkout.stripe.com/c/pay',
  'https://checkout.stripe.com:8443/c/pay',
  'https:/\\evil.example/checkout.stripe.com',
  'javascript:alert("https://checkout.stripe.com/")',
  '//checkout.stripe.com/c/pay',
  '/c/pay',
  '',
  null,
  undefined,
  { url: origin },
])('%s is not', (url) => expect(isProviderUrl(url, origin)).toBe(false))

test('a server that is told of another provider sends to that one alone', () => {
  expect(isProviderUrl('http://127.0.0.1:4242/pay/1', 'http://127.0.0.1:4242')).toBe(true)
  expect(isProviderUrl('http://127.0.0.1:4243/pay/1', 'http://127.0.0.1:4242')).toBe(false)
})
