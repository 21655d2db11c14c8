import { useLocation } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import { destinations, type Destination, type Place } from './destinations.ts'

/** @returns the entries of a place for whoever looks at the page */
export function useDestinations(place: Place): Destination[] {
  const username = useSession()?.user.username
  const site = useSite()
  const { pathname } = useLocation()
  return destinations(place, { username, site, pathname })
}
