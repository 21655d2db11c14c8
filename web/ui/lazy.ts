import { lazy as reactLazy, type ComponentType, type LazyExoticComponent } from 'react'
import { t } from '#web/i18n/shell.ts'
import { showError } from './fetch-toast.ts'
import { loadCode } from './load-code.ts'

/** Milliseconds. */
const retryAfter = 3000

/**
 * React's `lazy` for parts of a screen. If the code fails to load, the fallback stays, a message says
 * so, and loading is retried until it succeeds.
 */
export function lazy<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  let failures = 0
  return reactLazy(async function fetchPart(): Promise<{ default: ComponentType<Props> }> {
    try {
      return await loadCode(load)
    } catch (error) {
      if (import.meta.env.SSR) throw error
      failures += 1
      // The first time the browser may have stopped it, because the page is being left.
      if (failures === 2) showError(t('octavoCannotBeReachedCheck'))
      await new Promise((resolve) => setTimeout(resolve, retryAfter))
      return fetchPart()
    }
  })
}
