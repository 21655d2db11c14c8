/**
 * @param links addresses of covers, best first
 * @param width in pixels; catalogues that can, send the picture in that size
 * @returns the address to show, or undefined for the drawn cover
 */
export function coverAddress(links: readonly string[], width = 350): string | undefined {
  const link = links.find((address) => address.startsWith('http'))
  if (!link || !URL.canParse(link)) return undefined
  const url = new URL(link)
  if (!/(^|\.)(google|googleusercontent)\.[a-z.]+$/.test(url.hostname)) return link
  url.searchParams.set('fife', `w${width}`)
  return url.href
}
