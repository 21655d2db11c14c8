import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { controlClass } from './control-class.ts'
import { Field, splitFieldProps, type FieldText } from './field.tsx'

export type TextFieldProps = FieldText &
  Omit<ComponentProps<'input'>, 'className'> & {
    /** Drawn inside, before the text; decoration. */
    icon?: ReactNode
    /** Drawn inside, after the text; may be a button. */
    trailing?: ReactNode
  }

export function TextField(props: TextFieldProps) {
  const [field, { icon, trailing, type = 'text', ...input }] = splitFieldProps(props)
  return (
    <Field {...field}>
      {(control) => (
        // The room for a button is on the side that the text's direction has it.
        <span dir={input.dir} className="relative block">
          {icon ? (
            <span
              aria-hidden
              className="pointer-events-none absolute inset-y-0 start-0 grid w-11 place-items-center text-ink-faint [&>svg]:size-5"
            >
              {icon}
            </span>
          ) : null}
          <input
            dir="auto"
            {...input}
            {...control}
            type={type}
            className={classNames(controlClass, icon ? 'ps-11' : null, trailing ? 'pe-12' : null)}
          />
          {trailing ? (
            <span className="absolute inset-y-0 end-0.5 grid place-items-center">{trailing}</span>
          ) : null}
        </span>
      )}
    </Field>
  )
}
