import { Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { toastsEvent } from '#web/ui/fetch-toast.ts'
import { lazy } from '#web/ui/lazy.ts'

const ToastRegions = lazy(() => import('./toast-regions.tsx'))

/**
 * The regions for toasts and for announcing screens. They load with the first press, as nothing is
 * announced before it.
 */
export function Toasts() {
  const [touched, setTouched] = useState(false)
  const [first] = useState(useLocation().pathname)
  useEffect(() => {
    const touch = () => setTouched(true)
    // Speech input and screen readers send a click without a pointer or key event.
    const events = ['pointerdown', 'keydown', 'click', 'change', toastsEvent] as const
    for (const name of events) window.addEventListener(name, touch, { once: true })
    return () => {
      for (const name of events) window.removeEventListener(name, touch)
    }
  }, [])
  return <Suspense>{touched ? <ToastRegions first={first} /> : null}</Suspense>
}
