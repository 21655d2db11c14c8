import type { ComponentProps } from 'react'
import { Field, splitFieldProps, type FieldText } from './field.tsx'
import { Select } from './select.tsx'

type SelectOption = { value: string; label: string; disabled?: boolean | undefined }

type SelectFieldProps = FieldText &
  Omit<ComponentProps<'select'>, 'className' | 'children'> & {
    options: readonly SelectOption[]
    /** A first entry with the empty value. */
    placeholder?: string | undefined
  }

/** A {@link Select} with its label. */
export function SelectField(props: SelectFieldProps) {
  const [field, { options, placeholder, ...select }] = splitFieldProps(props)
  return (
    <Field {...field}>
      {(control) => (
        <Select {...select} {...control}>
          {placeholder === undefined ? null : <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
