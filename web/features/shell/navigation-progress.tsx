import { useEffect, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { Spinner } from '#web/ui/spinner.tsx'
import { t } from '#web/i18n/shell.ts'

/** Milliseconds after which a reader wonders whether the link was hit. */
const patience = 300

/**
 * A line along the top while the next screen is on its way, and a spinner for a book's page; one that
 * comes at once needs none.
 */
export function NavigationProgress() {
  const here = useLocation().pathname
  const { location: next } = useNavigation()
  const isLeaving = next !== undefined && next.pathname !== here
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isLeaving) return
    const timer = setTimeout(() => setLate(true), patience)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isLeaving])
  if (!isLate) return null
  return (
    <>
      <output className="fixed inset-x-0 top-0 z-[60] h-0.5 origin-left rtl:origin-right animate-advance bg-rubric forced-colors:bg-[Highlight]">
        <span className="sr-only">{t('loadingThePage')}</span>
      </output>
      {next?.pathname.startsWith('/book/') ? (
        <span className="fixed inset-x-0 top-[40dvh] z-[60] mx-auto grid size-14 place-items-center rounded-full bg-raised text-rubric shadow-lift">
          <Spinner />
        </span>
      ) : null}
    </>
  )
}
