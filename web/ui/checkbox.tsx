import { useId, useRef, type ReactNode } from 'react'
import { CheckMark } from './check-mark.tsx'
import { classNames } from './class-names.ts'
import { useScriptControl } from './hydrated.ts'
import { useTypedEarly } from './typed-early.ts'

type CheckboxProps = {
  label: ReactNode
  hint?: ReactNode
  /** In a form that is sent without scripts. */
  name?: string
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  className?: string | undefined
}

export function Checkbox(props: CheckboxProps) {
  const { label, hint, name, className, checked, onCheckedChange } = props
  const id = useId()
  const control = useScriptControl()
  const box = useRef<HTMLInputElement>(null)
  useTypedEarly(box, 'checked', checked, onCheckedChange)
  return (
    <div className={classNames('flex min-h-11 items-start gap-3 py-2.5', className)}>
      <span className="relative mt-0.5 grid size-5 shrink-0 after:absolute after:-inset-3">
        <input
          ref={box}
          type="checkbox"
          id={id}
          name={name}
          checked={checked}
          // A form that is sent without scripts reads it itself.
          {...(name === undefined && control)}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={(event) => onCheckedChange(event.currentTarget.checked)}
          className="peer absolute -inset-3 z-1 cursor-pointer appearance-none opacity-0"
        />
        <CheckMark className="size-5 border peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-rubric" />
      </span>
      <span className="grid gap-0.5 text-sm">
        <label htmlFor={id} className="leading-6">
          {label}
        </label>
        {hint ? (
          <span id={`${id}-hint`} className="text-ink-soft">
            {hint}
          </span>
        ) : null}
      </span>
    </div>
  )
}
