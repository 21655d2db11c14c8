import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { controlClass } from './control-class.ts'

/** The platform's own list: the best one on a phone, and it needs no script. */
export function Select(props: Omit<ComponentProps<'select'>, 'className'>) {
  return (
    <span className="relative block">
      <select {...props} className={classNames(controlClass, 'appearance-none pe-10')} />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 end-3 my-auto size-5 text-ink-soft"
      />
    </span>
  )
}
