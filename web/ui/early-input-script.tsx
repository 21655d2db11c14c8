import { earlyInputScript } from './early-input.ts'

/** First in `<body>`: keeps what is done before React answers. In development Vite reloads pages. */
export function EarlyInputScript({ nonce }: { nonce: string }) {
  if (import.meta.env.DEV) return null
  return (
    <script
      nonce={nonce}
      // As that of the theme: it has run when React looks.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? earlyInputScript : '' }}
    />
  )
}
