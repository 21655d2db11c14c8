import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { accents, type Accent } from '#shared/accent.ts'
import { FieldError } from '#web/ui/field.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { useTypedEarly } from '#web/ui/typed-early.ts'
import { t } from '#web/i18n/account.ts'
import { sentenceSpace } from '#web/i18n/format.ts'
import { SettingForm, useSettingRefusal } from './setting-form.tsx'

/** The accent, as swatches; a reader without premium sees them, and what they are part of. */
export function AccentChoice(props: {
  value: string
  isPremium: boolean
  onChange: (accent: Accent) => void
}) {
  const { value, isPremium, onChange } = props
  const [refusal, setRefusal] = useState(useSettingRefusal('accent'))
  const chosen = isPremium ? (refusal?.value ?? value) || accents[0] : accents[0]
  const choose = (accent: Accent) => {
    setRefusal(undefined)
    onChange(accent)
  }
  const fieldset = (
    <fieldset disabled={!isPremium} className="grid gap-2">
      <legend className="mb-2 text-sm font-medium">{t('accentColour')}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(6rem,100%),1fr))] gap-2 sm:grid-cols-6">
        {accents.map((accent) => (
          <Swatch
            key={accent}
            accent={accent}
            isChosen={accent === chosen}
            onChoose={() => choose(accent)}
          />
        ))}
      </div>
      {isPremium ? null : (
        <p className="text-sm text-ink-soft">
          {t('accentLimit')}
          {sentenceSpace()}
          <TextLink asChild>
            <Link to="/pricing">{t('seeThePlans')}</Link>
          </TextLink>
        </p>
      )}
      <FieldError message={refusal?.error} />
    </fieldset>
  )
  return isPremium ? <SettingForm name="accent">{fieldset}</SettingForm> : fieldset
}

function Swatch(props: { accent: Accent; isChosen: boolean; onChoose: () => void }) {
  const { accent, isChosen, onChoose } = props
  const field = useRef<HTMLInputElement>(null)
  useTypedEarly(field, 'checked', isChosen, (isTicked) => {
    if (isTicked) onChoose()
  })
  return (
    <label
      data-accent={accent}
      className="choice focus-ring-within grid min-h-11 cursor-pointer justify-items-center gap-1.5 px-2 py-3 text-center text-sm transition-colors has-checked:bg-rubric-tint has-disabled:cursor-default"
    >
      <input
        ref={field}
        type="radio"
        name="value"
        value={accent}
        autoComplete="off"
        checked={isChosen}
        onChange={onChoose}
        className="sr-only"
      />
      <span aria-hidden className="size-7 rounded-full bg-rubric-fill forced-color-adjust-none" />
      {t(`accent.${accent}`)}
    </label>
  )
}
