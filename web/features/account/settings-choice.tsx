import { useRef, useState, type ReactNode } from 'react'
import { SelectField } from '#web/ui/select-field.tsx'
import { useTypedEarly } from '#web/ui/typed-early.ts'
import { SettingForm, useSettingRefusal, type SettingName } from './setting-form.tsx'
import { SettingsRow } from './settings-section.tsx'

/** A {@link SettingsRow} with a list to choose from; a choice is saved at once. */
export function SettingsChoice(props: {
  /** The field that takes the choice. */
  name: SettingName
  title: ReactNode
  hint: ReactNode
  /** The name of the list, for screen readers. */
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  onChoose: (value: string) => void
  children?: ReactNode
}) {
  const { name, title, hint, label, value, options, onChoose, children } = props
  const [refusal, setRefusal] = useState(useSettingRefusal(name))
  const list = useRef<HTMLSelectElement>(null)
  const shown = refusal?.value ?? value
  const choose = (chosen: string) => {
    setRefusal(undefined)
    onChoose(chosen)
  }
  useTypedEarly(list, 'value', shown, choose)
  return (
    <SettingsRow
      title={title}
      hint={hint}
      control={
        <SettingForm name={name}>
          <SelectField
            ref={list}
            label={label}
            hideLabel
            name="value"
            // Otherwise Firefox brings back an older choice on reload.
            autoComplete="off"
            value={shown}
            error={refusal?.error}
            options={options}
            onChange={({ currentTarget }) => {
              // React may have put the list back after reading a choice made while it hydrated.
              if (currentTarget.value !== shown) choose(currentTarget.value)
            }}
          />
        </SettingForm>
      }
    >
      {children}
    </SettingsRow>
  )
}
