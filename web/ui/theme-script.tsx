import { storageScript } from './storage-script.ts'
import { themeScript } from './theme.ts'

/** First thing in `<head>`; give `<html>` `suppressHydrationWarning`, since this sets its class. */
export function ThemeScript({ nonce }: { nonce?: string | undefined }) {
  return (
    <script
      nonce={nonce}
      // It has run when React looks, and is nothing to fetch a second time.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? storageScript + themeScript : '' }}
    />
  )
}
