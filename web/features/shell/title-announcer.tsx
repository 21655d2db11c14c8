import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Announces the title of each screen after the first, as the browser only announces the page it
 * loads. Without it, nothing tells users of a screen reader that a link has been followed.
 *
 * @param props.first path of the page that the browser loaded
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
