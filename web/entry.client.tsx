import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { defaultLanguage } from '#shared/language.ts'
import { beginVisitorView } from './api/visitor-view.ts'
import { currentLanguage } from './i18n/language.ts'
import { setTranslator } from './i18n/lazy-rules.ts'
import { isLeaving, reload } from './ui/leaving.ts'

/** The field that the reader typed into last. */
let field: HTMLInputElement | undefined
window.addEventListener('input', ({ target }) => (field = target as HTMLInputElement), true)

// After an upgrade of the server the old page asks for files that are gone: it starts again, once.
window.addEventListener('vite:preloadError', () => {
  const path = location.href
  // Without a connection nothing would come instead, and a reload would stop a click on a link.
  if (!navigator.onLine || isLeaving() || sessionStorage.getItem('reloaded-for') === path) return
  // Reloading would lose what the reader typed.
  if (field?.isConnected && field.value) return
  sessionStorage.setItem('reloaded-for', path)
  reload()
})

if (currentLanguage() !== defaultLanguage)
  void import('./i18n/rules.ts').then(({ translate }) => setTranslator(translate))

beginVisitorView()

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
