/** The URL parameter for viewing a page as a visitor. */
const name = 'as'
const value = 'visitor'

/** The query string for viewing the current page as a visitor. */
export const visitorViewSearch = `?${name}=${value}`

/** @returns whether the address is for viewing as a visitor */
export function isVisitorView(url: URL): boolean {
  return url.searchParams.get(name) === value
}

/** @returns the address for viewing the same page as a visitor */
export function toVisitorView(url: URL): URL {
  const asked = new URL(url)
  asked.searchParams.set(name, value)
  return asked
}

/** @returns the address without the visitor's view */
export function fromVisitorView(url: URL): URL {
  const plain = new URL(url)
  plain.searchParams.delete(name)
  return plain
}
