/**
 * Whether an address is on the payment provider's site: scheme, host and port must match. Comparing
 * a prefix would accept `https://checkout.stripe.com.evil.example`.
 *
 * @param url to be opened
 * @param origin the provider's origin, from the server
 */
export function isProviderUrl(url: unknown, origin: string): url is string {
  if (typeof url !== 'string') return false
  const parsed = URL.parse(url)
  return parsed !== null && parsed.origin === origin && !parsed.username && !parsed.password
}
