import { lazy, Suspense, useEffect, useState } from 'react'

const Toaster = lazy(async () => ({ default: (await import('#web/ui/toast.tsx')).Toaster }))

/**
 * Where toasts appear. None comes before a reader has done something, so the code for them is
 * fetched with the first deed, and the landing page stays light.
 */
export function Messages() {
  const [touched, setTouched] = useState(false)
  useEffect(() => {
    const touch = () => setTouched(true)
    // Who speaks to the page, or has it read aloud, presses nothing.
    const events = ['pointerdown', 'keydown', 'click', 'change'] as const
    for (const name of events) window.addEventListener(name, touch, { once: true })
    return () => {
      for (const name of events) window.removeEventListener(name, touch)
    }
  }, [])
  return <Suspense>{touched ? <Toaster /> : null}</Suspense>
}
