import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { controlClass, Field } from './field.tsx'
import type { FieldText } from './field.tsx'

type TextAreaFieldProps = FieldText & Omit<ComponentProps<'textarea'>, 'className'>

export function TextAreaField({
  label,
  hint,
  error,
  hideLabel,
  aside,
  className,
  id,
  rows = 4,
  ...input
}: TextAreaFieldProps) {
  return (
    <Field {...{ id, label, hint, error, hideLabel, aside, className }}>
      {(control) => (
        <textarea
          dir="auto"
          {...input}
          {...control}
          rows={rows}
          className={classNames(controlClass, 'resize-y py-2.5 leading-6')}
        />
      )}
    </Field>
  )
}
