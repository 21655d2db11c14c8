import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '#web/routes.ts'

/** @returns the routes of all screens, as `web/routes.ts` names them: '' and `u/:username/books` */
export function screenRoutes(entries: readonly RouteConfigEntry[] = routes, above = ''): string[] {
  return entries.flatMap(({ path, index, children }) => {
    const here = [above, path].filter(Boolean).join('/')
    if (children) return screenRoutes(children, here)
    return index || path !== undefined ? [here] : []
  })
}

/**
 * @param values of each parameter, by its name or `*`
 * @returns the route's paths with all of them
 * @throws Error for an unknown parameter
 */
export function pathsOf(route: string, values: Record<string, readonly string[]>): string[] {
  const [found, name] = /:(\w+)\??|\*/.exec(route) ?? []
  if (!found) return [`/${route}`]
  const known = values[name ?? found]
  if (!known) throw new Error(`no value for ${found} in ${route}`)
  return known.flatMap((value) => pathsOf(route.replace(found, value), values))
}
