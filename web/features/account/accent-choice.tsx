import { Link } from 'react-router'
import { accents, type Accent } from '#shared/accent.ts'
import { useScriptControl } from '#web/ui/hydrated.ts'
import { TextLink } from '#web/ui/link.tsx'
import { t } from '#web/i18n/account.ts'
import { sentenceSpace } from '#web/i18n/format.ts'

/** The accent, as swatches; a reader without premium sees them, and what they are part of. */
export function AccentChoice(props: {
  value: string
  isPremium: boolean
  onChange: (accent: Accent) => void
}) {
  const { value, isPremium, onChange } = props
  const { disabled } = useScriptControl(!isPremium)
  const chosen = isPremium ? value || accents[0] : accents[0]
  return (
    <fieldset disabled={disabled} className="grid gap-2">
      <legend className="mb-2 text-sm font-medium">{t('accentColour')}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(6rem,100%),1fr))] gap-2 sm:grid-cols-6">
        {accents.map((accent) => (
          <label
            key={accent}
            data-accent={accent}
            className="choice focus-ring-within grid min-h-11 cursor-pointer justify-items-center gap-1.5 px-2 py-3 text-center text-sm transition-colors has-checked:bg-rubric-tint has-disabled:cursor-default"
          >
            <input
              type="radio"
              name="accent"
              value={accent}
              checked={accent === chosen}
              onChange={() => onChange(accent)}
              className="sr-only"
            />
            <span
              aria-hidden
              className="size-7 rounded-full bg-rubric-fill forced-color-adjust-none"
            />
            {t(`accent.${accent}`)}
          </label>
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
    </fieldset>
  )
}
