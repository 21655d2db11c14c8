import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { controlClass } from './control-class.ts'
import { Field, splitFieldProps, type FieldText } from './field.tsx'

export function TextAreaField(props: FieldText & Omit<ComponentProps<'textarea'>, 'className'>) {
  const [field, { rows = 4, ...input }] = splitFieldProps(props)
  return (
    <Field {...field}>
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
