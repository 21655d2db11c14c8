import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { useScriptControl } from './hydrated.ts'

/** The platform's own list of choices behind an icon; a wide screen has the chosen word beside it. */
export function IconSelect<Value extends string>(props: {
  label: string
  icon: ReactNode
  value: Value
  options: readonly { value: Value; label: string }[]
  onValueChange: (value: Value) => void
  className?: string | undefined
}) {
  const { label, icon, value, options, onValueChange, className } = props
  const control = useScriptControl()
  const chosen = options.find((option) => option.value === value)?.label
  return (
    <span
      title={label}
      className={classNames(
        'bar-control focus-ring-within relative min-w-11 shrink-0 transition-colors [&>svg]:size-5 [&>svg]:shrink-0',
        className,
      )}
    >
      {icon}
      <span aria-hidden className="whitespace-nowrap max-md:hidden">
        {chosen}
      </span>
      <select
        aria-label={label}
        // Browsers restore the choice of an earlier visit, which may differ from what is shown.
        autoComplete="off"
        value={value}
        {...control}
        onChange={(event) => onValueChange(event.currentTarget.value as Value)}
        className="absolute inset-0 w-full cursor-pointer opacity-0"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} className="bg-raised text-ink">
            {option.label}
          </option>
        ))}
      </select>
    </span>
  )
}
