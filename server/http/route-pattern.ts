import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router'

/**
 * @returns a function from a path to its screen's pattern, such as `/book/:slug`; `/*` if there is
 *   none
 */
export function routePatterns({ routes }: Pick<ServerBuild, 'routes'>): (path: string) => string {
  const below = (parent: string | undefined): RouteObject[] =>
    Object.values(routes).flatMap((route) => {
      if (!route || route.parentId !== parent) return []
      const { id, path, index } = route
      const named = { id, ...(path !== undefined && { path }) }
      return [index ? { ...named, index } : { ...named, children: below(id) }]
    })
  const tree = below(undefined)
  return (path) => {
    // The data requests of navigations in the browser.
    const screen = path.replace(/\.data$/, '').replace(/^\/_root$/, '/')
    // The router would log an error for it.
    if (!isText(screen)) return '/*'
    const parts = (matchRoutes(tree, screen) ?? []).map(({ route }) => route.path)
    return `/${parts.filter(Boolean).join('/') || (screen === '/' ? '' : '*')}`
  }
}

function isText(path: string): boolean {
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}
