import { lazy, memo, Suspense } from 'react'
import type { LandingBook } from './landing-books.ts'

const TryIt = lazy(async () => {
  if (!import.meta.env.SSR) await firstTouch()
  return import('./try-it.tsx')
})

/**
 * The server draws it at once; what makes it answer is fetched when the visitor first moves, so that
 * whoever only reads the page fetches nothing for it. Kept from rendering anew, which would drop
 * what the server has drawn.
 */
export const TryItLater = memo(function TryItLater({ book }: { book: LandingBook }) {
  return (
    <Suspense fallback={<div className="min-h-96 rounded-md border border-line bg-surface" />}>
      <TryIt book={book} />
    </Suspense>
  )
})

const signs = ['pointermove', 'pointerdown', 'touchstart', 'scroll', 'keydown'] as const

/** Resolves when the visitor has done anything on this page, or has before. */
function firstTouch(): Promise<void> {
  if (navigator.userActivation?.hasBeenActive) return Promise.resolve()
  return new Promise((resolve) => {
    const seen = () => {
      for (const sign of signs) window.removeEventListener(sign, seen)
      resolve()
    }
    for (const sign of signs) window.addEventListener(sign, seen, { passive: true })
  })
}
