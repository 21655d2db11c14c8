import { Minus, Plus } from 'lucide-react'
import { useRef, type ComponentProps, type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { numberOf } from '#shared/digits.ts'
import { classNames } from './class-names.ts'
import { controlClass } from './control-class.ts'
import { Field, splitFieldProps, type FieldText } from './field.tsx'
import { iconButtonClass } from './icon-button.tsx'
import { isComposing } from './is-composing.ts'
import { t } from '#web/i18n/shell.ts'
import { ScriptButton } from './script-button.tsx'

type NumberFieldProps = FieldText &
  Omit<ComponentProps<'input'>, 'className' | 'type'> & {
    /** After the number, for example 'of 320'. */
    unit?: ReactNode
  }

function assign<T>(ref: Ref<T> | undefined, value: T | null): void {
  if (typeof ref === 'function') ref(value)
  else if (ref) ref.current = value
}

/** For a form's field of numbers; what was typed is read in any script, and all else is NaN. */
export const asNumber = {
  setValueAs: (typed: string | number | undefined) => numberOf(String(typed ?? '')),
}

/** Past what React remembers of a field, so that it hears of the change. */
const setValue = (box: HTMLInputElement, value: number) =>
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
    box,
    String(value),
  )

/** To assistive technology; the form may have set the value. */
const tellValue = (box: HTMLInputElement) =>
  box.setAttribute('aria-valuenow', String(numberOf(box.value) || 0))

/**
 * A whole number with buttons for one step down and up between `min` and `max`; read it with
 * `numberOf`. The browser's own field of numbers loses digits of other scripts.
 */
export function NumberField(props: NumberFieldProps) {
  const [field, { unit, ref, min = 0, max, onKeyDown, ...input }] = splitFieldProps(props)
  const box = useRef<HTMLInputElement>(null)
  const fixed = Boolean(input.disabled ?? input.readOnly)
  const move = (up: boolean) => {
    const element = box.current
    if (!element || fixed) return
    const next = (numberOf(element.value) || 0) + (up ? 1 : -1)
    setValue(element, Math.max(Number(min), Math.min(next, Number(max ?? Infinity))))
    element.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event)
    // The arrows choose among an input method's words first.
    if (isComposing(event)) return
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    move(event.key === 'ArrowUp')
  }
  const stepper = (up: boolean, name: string) => (
    <ScriptButton
      tabIndex={-1}
      disabled={fixed}
      onClick={() => move(up)}
      aria-label={name}
      className={classNames(iconButtonClass('outlined'), 'size-11')}
    >
      {up ? <Plus aria-hidden /> : <Minus aria-hidden />}
    </ScriptButton>
  )
  return (
    <Field {...field}>
      {(control) => (
        <span className="flex flex-wrap items-center gap-2">
          {stepper(false, t('oneLess'))}
          <input
            inputMode="numeric"
            autoComplete="off"
            // The next number takes the place of this one.
            onFocus={(event) => {
              tellValue(event.currentTarget)
              event.currentTarget.select()
            }}
            onInput={(event) => tellValue(event.currentTarget)}
            {...input}
            {...control}
            role="spinbutton"
            aria-valuemin={Number(min)}
            aria-valuemax={max === undefined ? undefined : Number(max)}
            onKeyDown={press}
            ref={(element) => {
              box.current = element
              assign(ref, element)
              if (element) tellValue(element)
            }}
            className={classNames(
              controlClass,
              'w-auto! max-w-32 grow basis-19 text-center tabular-nums',
            )}
          />
          {stepper(true, t('oneMore'))}
          {unit ? <span className="text-sm text-ink-soft tabular-nums">{unit}</span> : null}
        </span>
      )}
    </Field>
  )
}
