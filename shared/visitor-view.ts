/** The parameter of an address that asks for a page as visitors get it. */
const name = 'as'
const value = 'visitor'

/** Leads from a page to the same page as visitors get it. */
export const visitorViewSearch = `?${name}=${value}`

/** @returns whether the address asks for its page as visitors get it */
export function isVisitorView(url: URL): boolean {
  return url.searchParams.get(name) === value
}

/** @returns the address that asks for the same page as visitors get it */
export function toVisitorView(url: URL): URL {
  const asked = new URL(url)
  asked.searchParams.set(name, value)
  return asked
}

/** @returns the address without the wish to see its page as visitors get it */
export function fromVisitorView(url: URL): URL {
  const plain = new URL(url)
  plain.searchParams.delete(name)
  return plain
}
