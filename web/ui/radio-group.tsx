import { RadioGroup as Radix } from 'radix-ui'
import { useId, type ReactNode } from 'react'
import { currentDirection } from '#web/i18n/language.ts'

type RadioOption<Value extends string> = {
  value: Value
  label: ReactNode
  hint?: ReactNode
  disabled?: boolean | undefined
}

export function RadioGroup<Value extends string>(props: {
  label: string
  options: readonly RadioOption<Value>[]
  value: Value
  onValueChange: (value: Value) => void
}) {
  const { label, options, value, onValueChange } = props
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <span id={id} className="text-sm font-medium">
        {label}
      </span>
      <Radix.Root
        dir={currentDirection()}
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => onValueChange(next as Value)}
        className="grid gap-2"
      >
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-11 items-start gap-3 rounded-md border border-line bg-surface px-3 py-2.5 transition-colors hover:border-line-strong has-[[data-disabled]]:bg-sunken has-[[data-disabled]]:text-ink-soft has-[[data-state=checked]]:border-rubric"
          >
            <Radix.Item
              value={option.value}
              disabled={option.disabled ?? false}
              className="mt-0.5 grid size-5 shrink-0 place-items-center rounded-full border border-line-strong bg-surface data-[state=checked]:border-rubric"
            >
              <Radix.Indicator className="size-2.5 rounded-full bg-rubric" />
            </Radix.Item>
            <span className="grid gap-0.5 text-sm leading-6">
              {option.label}
              {option.hint ? <span className="leading-5 text-ink-soft">{option.hint}</span> : null}
            </span>
          </label>
        ))}
      </Radix.Root>
    </div>
  )
}
