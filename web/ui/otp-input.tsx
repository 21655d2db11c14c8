import { OTPInput as Slots } from 'input-otp'
import { useRef, useState, type Ref } from 'react'
import { digitsOf } from '#shared/digits.ts'
import { classNames } from './class-names.ts'
import { Field, splitFieldProps, type FieldText } from './field.tsx'

type OtpInputProps = FieldText & {
  value: string
  onChange: (value: string) => void
  /** Called when the last digit is there. */
  onComplete: () => void
  length: number
  name: string
  ref: Ref<HTMLInputElement>
}

/** One real input under drawn boxes: paste, autofill from a message and screen readers all work. */
export function OtpInput(props: OtpInputProps) {
  const [field, { length, value, onChange, onComplete, ...input }] = splitFieldProps(props)
  const isComposing = useRef(false)
  /** Text that an input method is composing is left alone until it is complete. */
  const [composed, setComposed] = useState<string>()
  return (
    <Field {...field}>
      {(control) => (
        <Slots
          {...control}
          {...input}
          value={composed ?? value}
          onChange={(text) => {
            if (isComposing.current) setComposed(text)
            else onChange(digitsOf(text))
          }}
          onCompositionStart={() => (isComposing.current = true)}
          onCompositionEnd={({ currentTarget }) => {
            isComposing.current = false
            setComposed(undefined)
            const digits = digitsOf(currentTarget.value)
            onChange(digits)
            if (digits.length === length) onComplete()
          }}
          onComplete={() => (isComposing.current ? undefined : onComplete())}
          maxLength={length}
          inputMode="numeric"
          autoComplete="one-time-code"
          pasteTransformer={digitsOf}
          // Making room for a password manager's badge would make a phone's page scroll sideways.
          pushPasswordManagerStrategy="none"
          // A number reads from left to right in Arabic too.
          containerClassName="flex w-full max-w-sm gap-2 [direction:ltr]"
          render={({ slots }) =>
            slots.map((slot, place) => (
              <span
                // The boxes are places, not things: their order is their identity.
                // oxlint-disable-next-line react/no-array-index-key
                key={place}
                aria-hidden
                className={classNames(
                  'grid h-14 flex-1 place-items-center rounded-md border bg-surface font-serif text-xl tabular-nums',
                  field.error ? 'border-danger' : 'border-line-strong',
                  slot.isActive && 'outline-2 outline-offset-1 outline-rubric',
                )}
              >
                {slot.char}
                {slot.hasFakeCaret ? <span className="h-6 w-px animate-shimmer bg-ink" /> : null}
              </span>
            ))
          }
        />
      )}
    </Field>
  )
}
