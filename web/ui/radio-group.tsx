import { useEffect, useEffectEvent, useId, useRef, type ReactNode } from 'react'
import { useScriptControl } from './hydrated.ts'

type RadioOption<Value extends string> = {
  value: Value
  label: ReactNode
  hint?: ReactNode
  disabled?: boolean | undefined
}

export function RadioGroup<Value extends string>(props: {
  label: string
  /** In a form that is sent without scripts. */
  name?: string
  options: readonly RadioOption<Value>[]
  value: Value
  onValueChange: (value: Value) => void
}) {
  const { label, name, options, value, onValueChange } = props
  const id = useId()
  const control = useScriptControl()
  const group = useRef<HTMLDivElement>(null)
  // React has drawn another choice than the one that was made before the page was hydrated.
  const hearEarlyChoice = useEffectEvent(() => {
    const early = group.current?.querySelector<HTMLInputElement>('input:checked')?.value
    const option = options.find((one) => one.value === early)
    if (option && option.value !== value) onValueChange(option.value)
  })
  useEffect(() => hearEarlyChoice(), [])
  return (
    <div ref={group} role="radiogroup" aria-labelledby={id} className="grid gap-2">
      <span id={id} className="-mb-0.5 text-sm font-medium">
        {label}
      </span>
      {options.map((option) => (
        <label
          key={option.value}
          className="choice flex min-h-11 items-start gap-3 bg-surface px-3 py-2.5 transition-colors has-[:disabled:not([data-waiting])]:bg-sunken has-[:disabled:not([data-waiting])]:text-ink-soft"
        >
          <span className="relative mt-0.5 grid size-5 shrink-0">
            <input
              type="radio"
              name={name ?? id}
              value={option.value}
              // A form that is sent without scripts reads it itself.
              {...(name === undefined && control)}
              {...(option.disabled && { disabled: true, 'data-waiting': undefined })}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
              className="peer absolute inset-0 cursor-pointer appearance-none rounded-full"
            />
            <span
              aria-hidden
              className="grid place-items-center rounded-full border border-line-strong bg-surface *:invisible peer-checked:border-rubric peer-checked:*:visible"
            >
              <span className="rounded-full border-5 border-rubric" />
            </span>
          </span>
          <span className="grid gap-0.5 text-sm leading-6">
            {option.label}
            {option.hint ? <span className="leading-5 text-ink-soft">{option.hint}</span> : null}
          </span>
        </label>
      ))}
    </div>
  )
}
