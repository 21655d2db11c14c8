import { useId, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { useScriptControl } from './hydrated.ts'

/** One of a few, all in sight: Monthly or Yearly; grid, list or spines. */
export function SegmentedControl<Value extends string>(props: {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  /** With `iconOnly` the label is still its name. */
  options: readonly { value: Value; label: string; icon?: ReactNode }[]
  iconOnly?: boolean | undefined
}) {
  const { label, value, onValueChange, options, iconOnly = false } = props
  const name = useId()
  const control = useScriptControl()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex max-w-full flex-wrap rounded-md border border-line bg-sunken p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          title={iconOnly ? option.label : undefined}
          className={classNames(
            'relative inline-flex min-h-9 items-center justify-center gap-2 rounded-[4px] text-sm font-medium text-ink-soft transition-colors hover:text-ink pointer-coarse:min-h-11',
            'has-checked:bg-raised has-checked:text-ink has-checked:shadow-[0_1px_2px_var(--lift-near)] [&>svg]:size-4',
            iconOnly ? 'w-10 pointer-coarse:w-11' : 'flex-auto px-4',
          )}
        >
          <input
            type="radio"
            name={name}
            // Browsers restore the choice of an earlier visit, which may differ from what is shown.
            autoComplete="off"
            aria-label={iconOnly ? option.label : undefined}
            {...control}
            checked={option.value === value}
            onChange={() => onValueChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-[inherit]"
          />
          {option.icon}
          {iconOnly ? null : option.label}
        </label>
      ))}
    </div>
  )
}
