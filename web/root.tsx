import {
  HydrationBoundary,
  QueryClientProvider,
  type DehydratedState,
  type QueryClient,
} from '@tanstack/react-query'
import { use, useState, type ReactNode } from 'react'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
} from 'react-router'
import type { Route } from './+types/root'
import { getBrowserClient } from './api/client.ts'
import { ApiContext } from './api/context.ts'
import { browserLoader, serverLoader, type Load, type Loaded } from './api/load.ts'
import { createQueryClient, getQueryClient } from './api/query-client.ts'
import { sessionQuery } from './api/session.ts'
import { siteQuery } from './api/site.ts'
import './app.css'
import { NonceContext } from './nonce.ts'

const load: Load = ({ api, fetch }) => Promise.all([fetch(sessionQuery(api)), fetch(siteQuery)])

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const meta: Route.MetaFunction = () => [{ title: 'Octavo' }]

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(NonceContext)
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  )
}

export default function App() {
  const [queries] = useState<QueryClient>(() =>
    import.meta.env.SSR ? createQueryClient() : getQueryClient(),
  )
  return (
    <QueryClientProvider client={queries}>
      <HydrationBoundary state={useLoadedState()}>
        <ApiContext value={getBrowserClient()}>
          <Outlet />
        </ApiContext>
      </HydrationBoundary>
    </QueryClientProvider>
  )
}

/** What the loaders of all matched routes fetched in the server, as one cache. */
function useLoadedState(): DehydratedState {
  const loaded = useMatches().map((match) => match.loaderData as Loaded | null | undefined)
  return { mutations: [], queries: loaded.flatMap((one) => one?.state.queries ?? []) }
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : 500
  return <h1>{status}</h1>
}
