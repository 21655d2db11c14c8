import type { ReactNode } from 'react'
import { SelectField } from '#web/ui/select-field.tsx'
import { SettingsRow } from './settings-section.tsx'

/** A {@link SettingsRow} with a list to choose from; a choice is saved at once. */
export function SettingsChoice(props: {
  title: ReactNode
  hint: ReactNode
  /** The name of the list, for screen readers. */
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  onChoose: (value: string) => void
  children?: ReactNode
}) {
  const { title, hint, label, value, options, onChoose, children } = props
  return (
    <SettingsRow
      title={title}
      hint={hint}
      control={
        <SelectField
          label={label}
          hideLabel
          value={value}
          options={options}
          onChange={(event) => onChoose(event.currentTarget.value)}
        />
      }
    >
      {children}
    </SettingsRow>
  )
}
