import { Eye } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { toVisitorView } from '#shared/visitor-view.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { t } from '#web/i18n/profile.ts'

/** Whatever of a reader's a visitor can look at. */
const shown = /^\/(?:u|shelf|book)\//

/** Says that the page is the one that visitors get, and leads back to one's own. */
export default function VisitorBanner() {
  const { pathname, search } = useLocation()
  useEffect(() => {
    // Past the router, which knows the plain address.
    if (shown.test(pathname))
      history.replaceState(history.state, '', toVisitorView(new URL(location.href)))
    else location.replace(pathname + search)
  }, [pathname, search])
  useEffect(() => {
    document.addEventListener('click', follow, true)
    return () => document.removeEventListener('click', follow, true)
  }, [])
  return (
    <aside
      aria-label={t('viewAsVisitor')}
      className="above-bottom-bar z-40 mx-auto mb-4 flex w-fit max-w-[calc(100%-2rem)] flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line-strong bg-raised px-4 py-2 text-sm text-ink shadow-lift"
    >
      <p className="flex items-center gap-2">
        <Eye aria-hidden className="size-4 shrink-0 text-ink-soft" />
        {t('thisIsWhatVisitorsSee')}
      </p>
      <a href={pathname + search} data-own className={buttonClass('secondary', 'sm')}>
        {t('backToMyView')}
      </a>
    </aside>
  )
}

/** Each page is asked of the server, as a visitor who follows the link gets it. */
function follow(event: MouseEvent): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link?.href || link.target || 'own' in link.dataset) return
  const url = new URL(link.href)
  if (url.origin !== location.origin || link.getAttribute('href')?.startsWith('#')) return
  event.preventDefault()
  event.stopPropagation()
  location.assign(shown.test(url.pathname) ? toVisitorView(url) : url)
}
