import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Says the title of each further screen, as the browser says that of the first: to those who cannot
 * see it, nothing else tells that a link has led somewhere.
 *
 * @param props.first path of the page that the browser itself has told of
 */
export function TitleAnnouncer({ first }: { first: string }) {
  const { pathname } = useLocation()
  const announced = useRef(first)
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (pathname === announced.current) return
    announced.current = pathname
    if (place.current) place.current.textContent = document.title
    // The pressed element left with its screen: move the focus to the top of the new one.
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
  return <p ref={place} aria-live="polite" className="sr-only" />
}
