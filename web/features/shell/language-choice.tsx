import { languageName } from '#shared/language.ts'
import { chooseLanguage } from '#web/i18n/choose-language.ts'
import { currentLanguage, supportedLanguages } from '#web/i18n/language.ts'
import { t } from '#web/i18n/shell.ts'
import { Select } from '#web/ui/select.tsx'

export default function LanguageChoice() {
  if (supportedLanguages.length < 2) return null
  return (
    <Select
      aria-label={t('footer.language')}
      // A page has one language for as long as it lives.
      defaultValue={currentLanguage()}
      onChange={(event) => chooseLanguage(event.currentTarget.value)}
    >
      {supportedLanguages.map((language) => (
        <option key={language} value={language} lang={language}>
          {languageName(language)}
        </option>
      ))}
    </Select>
  )
}
