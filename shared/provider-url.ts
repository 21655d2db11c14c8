/** What a reader is told when an address to pay at is not the payment provider's. */
export const invalidUrlMessage = 'invalid url received.'

/**
 * Whether an address leads to the payment provider: scheme, host and port must be the same, which a
 * common beginning would not tell (`https://checkout.stripe.com.evil.example`).
 *
 * @param url what is about to be opened
 * @param origin where the server says that the provider is
 */
export function isProviderUrl(url: unknown, origin: string): url is string {
  if (typeof url !== 'string') return false
  const parsed = URL.parse(url)
  return parsed !== null && parsed.origin === origin && !parsed.username && !parsed.password
}
