import { useLocation } from 'react-router'

/** @returns the path and query of the page, where the forms on it go that are sent without scripts */
export function usePagePath(): string {
  const { pathname, search } = useLocation()
  return pathname + search
}
