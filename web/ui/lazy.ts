import { lazy as reactLazy, type ComponentType, type LazyExoticComponent } from 'react'
import { isLeaving } from './leaving.ts'

/** Milliseconds; a page that is still there then was not left. */
const retryAfter = 3000

/** React's `lazy`, whose part stays as it is when its code doesn't come because the page is left. */
export function lazy<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return reactLazy(async function fetchPart(): Promise<{ default: ComponentType<Props> }> {
    try {
      return await load()
    } catch (error) {
      if (!isLeaving()) throw error
      await new Promise((resolve) => setTimeout(resolve, retryAfter))
      return fetchPart()
    }
  })
}
