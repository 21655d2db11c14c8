import { Minus, Plus } from 'lucide-react'
import { useRef, type ComponentProps, type ReactNode, type Ref } from 'react'
import { classNames } from './class-names.ts'
import { controlClass } from './control-class.ts'
import { Field, splitFieldProps, type FieldText } from './field.tsx'
import { iconButtonClass } from './icon-button.tsx'
import { t } from '#web/i18n/shell.ts'

type NumberFieldProps = FieldText &
  Omit<ComponentProps<'input'>, 'className' | 'type'> & {
    /** After the number, for example 'of 320'. */
    unit?: ReactNode
  }

function assign<T>(ref: Ref<T> | undefined, value: T | null): void {
  if (typeof ref === 'function') ref(value)
  else if (ref) ref.current = value
}

/** A number with buttons for one step down and up; `min`, `max` and `step` bound both ways. */
export function NumberField(props: NumberFieldProps) {
  const [field, { unit, ref, ...input }] = splitFieldProps(props)
  const box = useRef<HTMLInputElement>(null)
  const fixed = Boolean(input.disabled ?? input.readOnly)
  const move = (up: boolean) => {
    const element = box.current
    if (!element) return
    if (up) element.stepUp()
    else element.stepDown()
    // The browser stays silent on stepUp(); forms listen for the event.
    element.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const stepper = (up: boolean, name: string) => (
    <button
      type="button"
      tabIndex={-1}
      disabled={fixed}
      onClick={() => move(up)}
      aria-label={name}
      className={classNames(iconButtonClass('outlined'), 'size-11')}
    >
      {up ? <Plus aria-hidden /> : <Minus aria-hidden />}
    </button>
  )
  return (
    <Field {...field}>
      {(control) => (
        <span className="flex items-center gap-2">
          {stepper(false, t('oneLess'))}
          <input
            inputMode="numeric"
            // The next number takes the place of this one.
            onFocus={(event) => event.currentTarget.select()}
            // Browsers count with the wheel while the page is scrolled past the field.
            onWheel={({ currentTarget: box }) => {
              if (fixed) return
              box.readOnly = true
              setTimeout(() => (box.readOnly = false))
            }}
            {...input}
            {...control}
            type="number"
            ref={(element) => {
              box.current = element
              assign(ref, element)
            }}
            className={classNames(
              controlClass,
              'max-w-32 [appearance:textfield] text-center tabular-nums [&::-webkit-inner-spin-button]:appearance-none',
            )}
          />
          {stepper(true, t('oneMore'))}
          {unit ? <span className="text-sm text-ink-soft tabular-nums">{unit}</span> : null}
        </span>
      )}
    </Field>
  )
}
