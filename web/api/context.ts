import type { QueryClient } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { createContext as createReactContext, use } from 'react'
import { createContext } from 'react-router'

/** The context of loaders on the server. */
export const apiContext = createContext<PocketBase>()
/** The API for an action, as whoever sent the form; absent unless the request writes. */
export const actionApiContext = createContext<PocketBase>()
export const queriesContext = createContext<QueryClient>()
export const nonceContext = createContext('')
/** Tells the server's log what failed on the page. */
export const errorContext = createContext<(error: unknown) => void>()
/** Renders a page once it's the visitor's turn, and charges the visitor for it. */
export const renderContext = createContext<RenderLimits>({
  inTurn: (render) => render(),
  charge: () => undefined,
})

export interface RenderLimits {
  /** The server replaces the response if the visitor's turn never comes. */
  inTurn: (render: () => Promise<Response>) => Promise<Response>
  charge: (milliseconds: number) => void
}

/** The client of the page that is being rendered. */
export const ApiContext = createReactContext<PocketBase | null>(null)

/** @returns the client to reach the API with */
export function useApi(): PocketBase {
  const api = use(ApiContext)
  if (!api) throw new Error('useApi needs an ApiContext above it')
  return api
}
