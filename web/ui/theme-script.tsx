import { themeScript } from './theme.ts'

/** First thing in `<head>`; give `<html>` `suppressHydrationWarning`, since this sets its class. */
export function ThemeScript({ nonce }: { nonce?: string | undefined }) {
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: themeScript }}
    />
  )
}
