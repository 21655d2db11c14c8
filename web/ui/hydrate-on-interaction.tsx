import { Suspense, type ComponentType, type LazyExoticComponent, type ReactNode } from 'react'
import { firstInteraction } from './first-interaction.ts'
import { lazy } from './lazy.ts'

/**
 * A part of a page that the server draws at once, and whose code is fetched when the visitor first
 * moves: whoever only reads the page fetches nothing for it, and its links work all the while.
 *
 * @param fetchPart its code
 * @returns the part; to be put inside {@link HydrateOnInteraction}
 */
export function lazyOnInteraction<Props>(
  fetchPart: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    if (!import.meta.env.SSR) await firstInteraction()
    return fetchPart()
  })
}

/**
 * Around such a part. What the server has drawn is dropped when this is rendered anew before the code
 * is there: put it into a `memo` with values that stay the same.
 */
export function HydrateOnInteraction({ children }: { children: ReactNode }) {
  return <Suspense fallback={<div className="min-h-dvh" />}>{children}</Suspense>
}
