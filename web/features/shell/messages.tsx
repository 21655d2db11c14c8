import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'

const Places = lazy(() => import('./message-places.tsx'))

/**
 * Where toasts appear, and where further screens are told of. None comes before a reader has done
 * something, so the code for them is fetched with the first deed, and the landing page stays light.
 */
export function Messages() {
  const [touched, setTouched] = useState(false)
  const [first] = useState(useLocation().pathname)
  useEffect(() => {
    const touch = () => setTouched(true)
    // Who speaks to the page, or has it read aloud, presses nothing.
    const events = ['pointerdown', 'keydown', 'click', 'change'] as const
    for (const name of events) window.addEventListener(name, touch, { once: true })
    return () => {
      for (const name of events) window.removeEventListener(name, touch)
    }
  }, [])
  return <Suspense>{touched ? <Places first={first} /> : null}</Suspense>
}
