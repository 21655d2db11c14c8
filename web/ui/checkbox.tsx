import { Check } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { ControlText } from './control-text.tsx'

export type CheckboxProps = {
  label: ReactNode
  hint?: ReactNode
  checked?: boolean | undefined
  defaultChecked?: boolean | undefined
  onCheckedChange?: ((checked: boolean) => void) | undefined
  name?: string | undefined
  value?: string | undefined
  disabled?: boolean | undefined
  className?: string | undefined
}

export function Checkbox({ label, hint, className, onCheckedChange, ...rest }: CheckboxProps) {
  const id = useId()
  const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return (
    <div className={classNames('flex min-h-11 items-start gap-3 py-2.5', className)}>
      <Radix.Root
        {...set}
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onCheckedChange={(checked) => onCheckedChange?.(checked === true)}
        className="relative mt-0.5 grid size-5 shrink-0 place-items-center rounded-cover border border-line-strong bg-surface transition-colors after:absolute after:-inset-3 disabled:opacity-60 data-[state=checked]:border-rubric-fill data-[state=checked]:bg-rubric-fill data-[state=checked]:text-on-rubric"
      >
        <Radix.Indicator>
          <Check aria-hidden className="size-4" strokeWidth={3} />
        </Radix.Indicator>
      </Radix.Root>
      <ControlText id={id} label={label} hint={hint} className="leading-6" />
    </div>
  )
}
