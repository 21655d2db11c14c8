import { WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'

/** The banner at the bottom of the window about the connection. */
export function Banner({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <div
      ref={announceHeight}
      className="fixed inset-x-0 bottom-0 z-40 border-t border-line bg-raised text-ink shadow-lift max-md:bottom-[calc(3.5rem+env(safe-area-inset-bottom))]"
    >
      <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2 text-sm md:px-6">
        <WifiOff aria-hidden className="size-5 shrink-0 text-rubric" />
        <p className="min-w-0 flex-[1_1_14rem]">{children}</p>
        <div className="ms-auto">{action}</div>
      </div>
    </div>
  )
}

/** Messages stand above the banner; see app.css. */
function announceHeight(banner: HTMLElement | null) {
  if (!banner) return
  const { style } = document.documentElement
  const observer = new ResizeObserver(() =>
    style.setProperty('--banner-height', `${banner.offsetHeight}px`),
  )
  observer.observe(banner)
  return () => {
    observer.disconnect()
    style.removeProperty('--banner-height')
  }
}
