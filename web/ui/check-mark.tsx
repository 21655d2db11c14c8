import { Check } from 'lucide-react'
import { classNames } from './class-names.ts'

/** The drawn box of a checkbox, which stands before it with the class `peer`. */
export function CheckMark({ className }: { className: string }) {
  return (
    <span
      aria-hidden
      className={classNames(
        // Forced colours would show a check that is only transparent.
        'grid place-items-center rounded-cover border-line-strong bg-surface text-on-rubric transition-colors *:invisible peer-checked:border-rubric-fill peer-checked:bg-rubric-fill peer-checked:*:visible',
        className,
      )}
    >
      <Check className="size-4" strokeWidth={3} />
    </span>
  )
}
