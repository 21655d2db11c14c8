import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { currentDirection } from '#web/i18n/language.ts'
import { classNames } from './class-names.ts'
import { ScriptButton } from './script-button.tsx'

/** Whether something is cut off at each edge of a row. */
interface Hidden {
  left: boolean
  right: boolean
}

/**
 * A row that is pushed sideways. Where it goes on it fades, and a mouse, which can't push, finds an
 * arrow; the keyboard reaches what is in the row by itself.
 *
 * @param props.className of what scrolls; `outerClassName` of what is around it
 * @param props.children one element, as long as the row
 */
export function SideScroller(props: {
  className?: string
  outerClassName?: string
  children: ReactNode
}) {
  const { className, outerClassName, children } = props
  const row = useRef<HTMLDivElement>(null)
  const [{ left, right }, setHidden] = useState<Hidden>({ left: false, right: false })
  useEffect(() => {
    const element = row.current
    if (!element) return undefined
    const measure = () => {
      const next = hiddenOf(element)
      setHidden((now) => (now.left === next.left && now.right === next.right ? now : next))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  const isMirrored = currentDirection() === 'rtl'
  /** @param pages how far towards the end, in what is seen at once */
  const push = (pages: number) => {
    const width = row.current?.clientWidth ?? 0
    row.current?.scrollBy({ left: width * (isMirrored ? -pages : pages) })
  }
  return (
    <div className={classNames('relative', outerClassName)}>
      <div
        ref={row}
        data-left={left || undefined}
        data-right={right || undefined}
        className={classNames('fade-ends snap-x overflow-x-auto scroll-smooth', className)}
      >
        {children}
      </div>
      {(isMirrored ? right : left) ? (
        <Arrow className="start-0 lg:-start-3" onClick={() => push(-0.8)}>
          <ChevronLeft />
        </Arrow>
      ) : null}
      {(isMirrored ? left : right) ? (
        <Arrow className="end-0 lg:-end-3" onClick={() => push(0.8)}>
          <ChevronRight />
        </Arrow>
      ) : null}
    </div>
  )
}

/** For the mouse alone. */
function Arrow(props: { className: string; onClick: () => void; children: ReactNode }) {
  const { className, onClick, children } = props
  return (
    <ScriptButton
      aria-hidden
      tabIndex={-1}
      onClick={onClick}
      className={classNames(
        'absolute top-1/2 z-10 hidden size-9 -translate-y-1/2 place-items-center rounded-full border border-line bg-raised text-ink shadow-lift hover:border-line-strong [@media(hover:hover)_and_(pointer:fine)]:grid rtl:[&>svg]:-scale-x-100 [&>svg]:size-5',
        className,
      )}
    >
      {children}
    </ScriptButton>
  )
}

/** At an end within a pixel, as places have fractions. */
function hiddenOf(row: HTMLElement): Hidden {
  const { scrollLeft, scrollWidth, clientWidth } = row
  const room = scrollWidth - clientWidth
  // In right-to-left pages scrollLeft starts at 0 at the right edge and is negative.
  const passed = currentDirection() === 'rtl' ? room + scrollLeft : scrollLeft
  return { left: passed > 1, right: passed < room - 1 }
}
