import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { defaultLanguage } from '#shared/language.ts'
import { beginVisitorView } from './api/visitor-view.ts'
import { currentLanguage } from './i18n/language.ts'
import { loadTranslator } from './i18n/lazy-answers.ts'
import { followTranslation } from './ui/translated-text.ts'

/** The field that the reader typed into last. */
let field: HTMLInputElement | undefined
window.addEventListener('input', ({ target }) => (field = target as HTMLInputElement), true)

/** When another page was asked for in this tab. A download is one, too, and this page stays. */
let leftAt = Number.NEGATIVE_INFINITY
window.addEventListener('beforeunload', () => (leftAt = performance.now()))
/** Milliseconds after which the page has stayed. */
const leavingTime = 30_000

/** After an upgrade of the server the old page asks for files that are gone: it starts again, once. */
async function startAgain(): Promise<void> {
  // Without a connection, whatever the browser says of it, nothing would come instead.
  await fetch('/api/health', { cache: 'no-store' })
  const path = location.href
  // Firefox and Safari stop what a page fetches when another is asked for; a reload would stop that.
  if (performance.now() - leftAt < leavingTime) return
  if (sessionStorage.getItem('reloaded-for') === path) return
  // Reloading would lose what the reader typed.
  if (field?.isConnected && field.value) return
  sessionStorage.setItem('reloaded-for', path)
  location.reload()
}

window.addEventListener('vite:preloadError', () => void startAgain().catch(() => undefined))

if (currentLanguage() !== defaultLanguage) loadTranslator(() => import('./i18n/answers.ts'))

beginVisitorView()
followTranslation()

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
