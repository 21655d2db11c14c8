import './ui/older-browsers.ts'
import './no-eval.ts'
import {
  HydrationBoundary,
  QueryClientProvider,
  type DehydratedState,
  type QueryClient,
} from '@tanstack/react-query'
import { Suspense, use, useMemo, useState, type ReactNode } from 'react'
import { lazy } from '#web/ui/lazy.ts'
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  type LinkDescriptor,
} from 'react-router'
import type { Route } from './+types/root'
import { getBrowserClient } from './api/client.ts'
import { ApiContext } from './api/context.ts'
import { browserLoader, loadedState, serverLoader, type Load, type Loaded } from './api/load.ts'
import { createQueryClient, getQueryClient } from './api/query-client.ts'
import { isPremium, sessionQuery, useSession, useSessionRenewal } from './api/session.ts'
import { siteQuery, useSite } from './api/site.ts'
import { isVisitor } from './api/visitor-view.ts'
import './app.css'
import { LazySessionGuard } from './features/account/lazy-session-guard.tsx'
import { ErrorPage } from './features/shell/error-page.tsx'
import { LazyOffline } from './features/offline/lazy-offline.tsx'
import { Toasts } from './features/shell/toasts.tsx'
import { Shortcuts } from './features/shell/shortcuts.tsx'
import { currentDirection, currentLanguage } from './i18n/language.ts'
import { t } from './i18n/shell.ts'
import { NonceContext } from './nonce.ts'
import { preloadedFonts } from './ui/fonts.ts'
import { useHydrated } from './ui/hydrated.ts'
import { KeepPlace } from './ui/keep-place.tsx'
import { Part } from './ui/part.tsx'
import { RatingScaleContext } from './ui/rating-scale.ts'
import { SkipLink } from './ui/skip-link.tsx'
import { ThemeScript } from './ui/theme-script.tsx'
import { themeColors } from './ui/theme.ts'

const VisitorBanner = lazy(() => import('./features/shell/visitor-banner.tsx'))

const load: Load = ({ api, fetch }) => Promise.all([fetch(sessionQuery(api)), fetch(siteQuery)])

export const loader = serverLoader(load)
export const clientLoader = browserLoader(load)

export const links = (): LinkDescriptor[] => [
  ...preloadedFonts.map((href): LinkDescriptor => ({
    rel: 'preload',
    as: 'font',
    type: 'font/woff2',
    href,
    crossOrigin: 'anonymous',
  })),
  { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
]

/** For screens without a title of their own. The error screen has one. */
export const meta: Route.MetaFunction = ({ error }) => [
  ...(error ? [] : [{ title: 'Octavo' }]),
  { name: 'description', content: t('siteDescription') },
]

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(NonceContext)
  const language = currentLanguage()
  return (
    // The theme's class is set by the script, before React looks.
    <html
      lang={language}
      dir={currentDirection()}
      data-language={language}
      suppressHydrationWarning
    >
      <head>
        <ThemeScript nonce={nonce} />
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta
          name="theme-color"
          media="(prefers-color-scheme: light)"
          content={themeColors.light}
        />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content={themeColors.dark} />
        <Meta />
        <Links nonce={nonce} />
        <noscript>
          <style>{'.script-only { display: none !important }'}</style>
        </noscript>
      </head>
      <body>
        <SkipLink />
        {children}
        <ScrollRestoration nonce={nonce} />
        <KeepPlace />
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
          <Scaled>
            <Screens />
            <Part isExtra>
              <Shortcuts />
            </Part>
            <Part isExtra>
              <LazyOffline />
            </Part>
            <Part isExtra>
              <Toasts />
            </Part>
          </Scaled>
        </ApiContext>
      </HydrationBoundary>
    </QueryClientProvider>
  )
}

/** Everything that shows ratings, on the scale its viewer has chosen. */
function Scaled({ children }: { children: ReactNode }) {
  const scale = useSession()?.settings?.rating_scale === '10' ? 10 : 5
  return <RatingScaleContext value={scale}>{children}</RatingScaleContext>
}

function Screens() {
  useSessionRenewal()
  const session = useSession()
  // The page itself is what visitors get, to the letter.
  const isAsVisitor = useHydrated() && isVisitor()
  const accent = isPremium(session, useSite()) && session?.settings?.accent
  return (
    <>
      {/* Before everything it colours; see accents.css. */}
      {accent ? <i hidden data-accent={accent} /> : null}
      <Outlet />
      <LazySessionGuard />
      {isAsVisitor ? (
        <Suspense>
          <VisitorBanner />
        </Suspense>
      ) : null}
    </>
  )
}

/** @returns what the loaders of the matched routes fetched on the server; the same until navigation */
function useLoadedState(): DehydratedState {
  const matches = useMatches()
  return useMemo(
    () => loadedState(matches.map((match) => match.loaderData as Loaded | null | undefined)),
    [matches],
  )
}

/** Only when the shell itself cannot be shown; the layouts show their own with the navigation. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <main id="main" tabIndex={-1}>
      <ErrorPage error={error} />
    </main>
  )
}
