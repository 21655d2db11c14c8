import { useEffect, useRef, useState, type ReactNode, type Ref } from 'react'
import { Button } from './button.tsx'
import { ErrorState } from './error-state.tsx'
import { t } from '#web/i18n/shell.ts'

/** Loads on when its end is fully in sight; the button does the same for those who do not scroll. */
export function InfiniteList(props: {
  ref?: Ref<HTMLDivElement>
  /** The entries, in whatever list or grid they make. */
  children: ReactNode
  hasMore: boolean
  /** Fetches the next page before the reader reaches the end, but only after they scroll. */
  isAhead?: boolean | undefined
  loading: boolean
  onMore: () => void
  /** Why the last page did not come; stops the automatic loading until tried again. */
  error?: string | undefined
  /** Read out after each page, for example '36 of 120 books'. */
  status?: string | undefined
  /** Shapes of the entries to come, shown while they load. */
  skeleton?: ReactNode
}) {
  const {
    ref,
    children,
    hasMore,
    isAhead = false,
    loading,
    onMore,
    error,
    status,
    skeleton,
  } = props
  const end = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  // From the wish for more until it has been painted.
  const [grows, setGrows] = useState(false)
  const grow = () => {
    setGrows(true)
    onMore()
  }
  useEffect(() => {
    more.current = grow
  })
  useEffect(() => {
    if (!grows || loading) return undefined
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setGrows(false))
    })
    return () => cancelAnimationFrame(frame)
  }, [grows, loading])
  const [hasScrolled, setScrolled] = useState(false)
  useEffect(() => {
    if (!isAhead) return undefined
    const note = () => setScrolled(true)
    window.addEventListener('scroll', note, { once: true, passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [isAhead])
  const waiting = hasMore && !grows && !loading && !error
  useEffect(() => {
    const marker = end.current
    if (!waiting || !marker) return undefined
    // Recreated after each page, so that a page too short to push the end out of sight loads the
    // next.
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) more.current()
      },
      { threshold: 1, rootMargin: hasScrolled ? '0px 0px 400% 0px' : '0px' },
    )
    observer.observe(marker)
    return () => observer.disconnect()
  }, [waiting, hasScrolled])

  return (
    <div ref={ref} aria-busy={loading} data-growing={grows || loading || undefined}>
      {children}
      {loading ? skeleton : null}
      {error ? (
        <ErrorState
          className="mt-6"
          title={t('dataError')}
          message={error}
          onRetry={grow}
          retrying={loading}
        />
      ) : null}
      <output className="sr-only">{loading ? t('loadingMore') : status}</output>
      {hasMore && !error ? (
        // New items push the button down, which must not be seen by readers who just scroll.
        <div
          ref={end}
          className="flex min-h-24 items-center justify-center pt-6 in-data-growing:not-focus-within:invisible"
        >
          <Button onClick={grow} pending={loading}>
            {t('loadMore')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}
