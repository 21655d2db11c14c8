import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { controlClass } from './control-class.ts'
import { useScriptControl } from './hydrated.ts'

/** The platform's own list: the best one on a phone, and it needs no script. */
export function Select(
  props: Omit<ComponentProps<'select'>, 'className'> & {
    /** Before the choice. */
    icon?: ReactNode
  },
) {
  const { icon, ...select } = props
  // A form that is sent without scripts reads its choice itself.
  const needsScript = select.onChange !== undefined && select.name === undefined
  const control = useScriptControl(select.disabled)
  return (
    <span className="relative block">
      {icon ? (
        <span className="pointer-events-none absolute inset-y-0 start-3 grid items-center text-ink-soft [&>svg]:size-4">
          {icon}
        </span>
      ) : null}
      <select
        {...select}
        {...(needsScript && control)}
        className={classNames(controlClass, 'appearance-none pe-10', icon ? 'ps-10' : null)}
      />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 end-3 my-auto size-5 text-ink-soft"
      />
    </span>
  )
}
