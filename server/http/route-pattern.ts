import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router'

/**
 * @returns a function from a path to the pattern of the screen there, such as `/book/:slug`; `/*` for
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
    // What a page loads while it moves on to another screen.
    const screen = path.replace(/\.data$/, '').replace(/^\/_root$/, '/')
    // The router would complain of it on the console.
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
