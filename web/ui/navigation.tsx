import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Slot } from './slot.tsx'
import { t } from '#web/i18n/shell.ts'

/**
 * Sticky; `links` are hidden on phones, where the bottom bar replaces them.
 *
 * @param props.phone stands on phones in place of all the rest
 */
export function TopBar(props: {
  brand: ReactNode
  links?: ReactNode
  end?: ReactNode
  phone?: ReactNode
}) {
  const { brand, links, end, phone } = props
  return (
    <header className="sticky top-0 z-40 border-b border-line bg-paper/95 backdrop-blur-sm print:hidden">
      {phone ? <div className="flex items-center px-1 md:hidden">{phone}</div> : null}
      <div
        className={classNames(
          '@container mx-auto flex min-h-14 w-full max-w-page flex-wrap items-center px-4 md:gap-x-6 md:px-6',
          Boolean(phone) && 'max-md:hidden',
        )}
      >
        {brand}
        {links ? (
          <nav aria-label={t('main')} className="hidden items-center gap-1 md:flex">
            {links}
          </nav>
        ) : null}
        <div className="ms-auto flex items-center gap-2 @max-[23rem]:gap-1">{end}</div>
      </div>
    </header>
  )
}

type EntryProps = { current?: boolean | undefined; children: ReactNode }

/** Wraps one link or button: styles it and marks the open screen. */
function Entry(props: EntryProps & { className: string; marked: string }) {
  const { current = false, className, marked, children } = props
  return (
    <Slot
      aria-current={current ? 'page' : undefined}
      className={classNames(className, current ? marked : 'text-ink-soft')}
    >
      {children}
    </Slot>
  )
}

/** Wraps one link in the top bar. */
export function TopBarLink({
  className,
  ...props
}: EntryProps & { className?: string | undefined }) {
  return (
    <Entry
      {...props}
      className={classNames(
        'inline-flex min-h-10 items-center gap-1.5 rounded-md px-3 text-sm font-medium transition-colors hover:bg-sunken hover:text-ink pointer-coarse:min-h-11',
        className,
      )}
      marked="text-rubric"
    />
  )
}

/** Phones only: up to five entries at the thumb. */
export function BottomBar({ children }: { children: ReactNode }) {
  return (
    <nav
      aria-label={t('quickAccess')}
      className="fixed inset-x-0 bottom-0 z-40 grid auto-cols-[1fr] grid-flow-col border-t border-line bg-paper pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {children}
    </nav>
  )
}

/** Wraps one link or button with an icon and a word. */
export function BottomBarItem(props: EntryProps) {
  return (
    <Entry
      {...props}
      // Five labels fit beside each other on the narrowest phone, also with larger text.
      className="flex min-h-14 flex-col items-center justify-center gap-1 text-[min(0.75rem,4.2vw)] leading-4 font-medium outline-offset-[-3px] [&>svg]:size-5"
      marked="text-rubric"
    />
  )
}

/** A titled column of links: the side of a wide screen, or a drawer on a phone. */
export function SideNav(props: { label: string; title?: ReactNode; children: ReactNode }) {
  const { label, title, children } = props
  return (
    <nav aria-label={label} className="grid content-start gap-0.5">
      {title ? (
        <p className="flex items-center gap-2 px-3 pb-1 text-xs text-ink-soft">{title}</p>
      ) : null}
      {children}
    </nav>
  )
}

/** Wraps one link with an icon and a word. */
export function SideNavItem(props: EntryProps) {
  return (
    <Entry
      {...props}
      className="flex min-h-11 items-center gap-3 rounded-md px-3 text-sm font-medium transition-colors hover:bg-sunken hover:text-ink [&>svg]:size-5 [&>svg]:shrink-0"
      marked="bg-sunken text-rubric"
    />
  )
}
