/**
 * @returns the path of the profile page that `?username=` names where the path names nobody: of
 *   `/u` and, since these are nobody's names, of `/u/books`, `/u/shelves` and `/u/wishlist`
 */
export function profilePathOfQuery({ pathname, searchParams }: URL): string | undefined {
  const page = /^\/u((?:\/(?:books|shelves|wishlist))?)\/?$/.exec(pathname)?.[1]
  const username = searchParams.get('username')
  if (page === undefined || !username) return undefined
  const rest = new URLSearchParams(searchParams)
  rest.delete('username')
  const query = rest.size > 0 ? `?${rest.toString()}` : ''
  return `/u/${encodeURIComponent(username)}${page}${query}`
}
