import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** What stands beside a control: its label, and more about it under `{id}-hint`. */
export function ControlText(props: {
  /** Of the control. */
  id: string
  label: ReactNode
  hint: ReactNode
  /** Of the label. */
  className: string
}) {
  const { id, label, hint, className } = props
  return (
    <span className="grid gap-0.5">
      <label htmlFor={id} className={classNames('text-sm', className)}>
        {label}
      </label>
      {hint ? (
        <span id={`${id}-hint`} className="text-sm text-ink-soft">
          {hint}
        </span>
      ) : null}
    </span>
  )
}
