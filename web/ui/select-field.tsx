import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { controlClass, Field, splitFieldProps, type FieldText } from './field.tsx'

type SelectOption = { value: string; label: string; disabled?: boolean | undefined }

type SelectFieldProps = FieldText &
  Omit<ComponentProps<'select'>, 'className' | 'children'> & {
    options: readonly SelectOption[]
    /** A first entry with the empty value. */
    placeholder?: string | undefined
  }

/** The platform's own list: the best one on a phone, and it needs no script. */
export function SelectField(props: SelectFieldProps) {
  const [field, { options, placeholder, ...select }] = splitFieldProps(props)
  return (
    <Field {...field}>
      {(control) => (
        <span className="relative block">
          <select
            {...select}
            {...control}
            className={classNames(controlClass, 'appearance-none pe-10')}
          >
            {placeholder === undefined ? null : <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute inset-y-0 end-3 my-auto size-5 text-ink-soft"
          />
        </span>
      )}
    </Field>
  )
}
