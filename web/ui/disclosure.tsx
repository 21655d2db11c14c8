import { ChevronDown } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'

/** The platform's own: works before scripts do, and find-in-page opens it. */
export function Disclosure(props: {
  summary: ReactNode
  defaultOpen?: boolean | undefined
  /** Several with the same name: opening one closes the others (an accordion). */
  group?: string | undefined
  className?: string | undefined
  ref?: Ref<HTMLDetailsElement>
  onToggle?: ((open: boolean) => void) | undefined
  children: ReactNode
}) {
  const { summary, defaultOpen, group, className, ref, onToggle, children } = props
  return (
    <details
      ref={ref}
      onToggle={(event) => onToggle?.(event.currentTarget.open)}
      open={defaultOpen}
      name={group}
      className={classNames('group/fold border-b border-line', className)}
    >
      <summary className="flex min-h-12 list-none items-center justify-between gap-4 rounded-md py-2 font-medium transition-colors hover:text-rubric [&::-webkit-details-marker]:hidden">
        <span>{summary}</span>
        <ChevronDown
          aria-hidden
          className="size-5 shrink-0 text-ink-soft transition-transform group-open/fold:rotate-180"
        />
      </summary>
      <div className="pb-5 text-ink-soft">{children}</div>
    </details>
  )
}
