import files from 'messages:files'
import { currentLanguage } from './language.ts'

/**
 * Leads the scripts' imports of `messages/<area>` to the files of the page's language. First in
 * `<head>`: older browsers refuse an import map after the first module.
 */
export function MessageMap({ nonce }: { nonce: string }) {
  // In development the modules hold all languages.
  if (import.meta.env.DEV) return null
  const imports = import.meta.env.SSR
    ? Object.fromEntries(
        Object.entries(files[currentLanguage()] ?? {}).map(([area, file]) => [
          `messages/${area}`,
          file,
        ]),
      )
    : {}
  return (
    <script
      type="importmap"
      nonce={nonce}
      // The browser has read it when React looks.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{
        __html: import.meta.env.SSR ? JSON.stringify({ imports }) : '',
      }}
    />
  )
}
