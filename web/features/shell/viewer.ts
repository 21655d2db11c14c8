import { useLocation } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import {
  destinations,
  type Destination,
  type NavigationSection,
  type Viewer,
} from './destinations.ts'

/** @returns whoever looks at the page, and where */
export function useViewer(): Viewer {
  const username = useSession()?.user.username
  return { username, site: useSite(), pathname: useLocation().pathname }
}

/** @returns whether the page is the reader's own profile or a screen below it; undefined elsewhere */
export function useOwnPlace(): 'overview' | 'library' | undefined {
  const { username, pathname } = useViewer()
  const path = pathname.toLowerCase().replace(/\/$/, '')
  if (username === undefined) return undefined
  if (path === `/u/${username}`) return 'overview'
  return path.startsWith(`/u/${username}/`) ? 'library' : undefined
}

/** @returns the entries of a place for whoever looks at the page */
export function useDestinations(place: NavigationSection): Destination[] {
  return destinations(place, useViewer())
}
