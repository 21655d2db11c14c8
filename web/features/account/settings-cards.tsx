import type { Settings } from '#shared/account.ts'
import { languageName } from '#shared/language.ts'
import { ratingScales } from '#shared/rating.ts'
import { statuses } from '#shared/user-book.ts'
import { isPremium, useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import { Panel } from '#web/ui/panel.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { statusLabel } from '#web/ui/status-badge.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useTheme } from '#web/ui/theme.ts'
import { t } from '#web/i18n/account.ts'
import { chooseLanguage } from '#web/i18n/choose-language.ts'
import { supportedLanguages } from '#web/i18n/language.ts'
import { AccentChoice } from './accent-choice.tsx'
import { useSettingsChange } from './use-settings-change.ts'

/** The reader's settings; each choice is saved at once. */
export function SettingsCards({ settings }: { settings: Settings }) {
  const change = useSettingsChange(settings)
  const { theme, toggle } = useTheme()
  const hasAccent = isPremium(useSession(), useSite())

  return (
    <div className="grid grid-cols-1 gap-6">
      <Panel title={t('profileVisibility')}>
        <SelectField
          label={t('whoCanSeeYourProfile')}
          hint={t('profileVisibilityHint')}
          value={settings.isPrivate ? 'private' : 'public'}
          options={[
            { value: 'public', label: t('public') },
            { value: 'private', label: t('private') },
          ]}
          onChange={(event) => change({ isPrivate: event.currentTarget.value === 'private' })}
        />
      </Panel>
      {supportedLanguages.length > 1 ? (
        <Panel title={t('language')}>
          <SelectField
            label={t('language')}
            hideLabel
            hint={t('languageHint')}
            value={settings.language}
            options={[
              { value: '', label: t('useBrowserSetting') },
              ...supportedLanguages.map((value) => ({ value, label: languageName(value) })),
            ]}
            onChange={({ currentTarget: { value: language } }) =>
              change({ language }, () => chooseLanguage(language))
            }
          />
        </Panel>
      ) : null}
      <Panel title={t('theme')}>
        <div className="grid gap-4">
          <Switch label={t('darkTheme')} checked={theme === 'dark'} onCheckedChange={toggle} />
          <AccentChoice
            value={settings.accent}
            isPremium={hasAccent}
            onChange={(accent) => change({ accent })}
          />
        </div>
      </Panel>
      <Panel title={t('newBooks')}>
        <SelectField
          label={t('status')}
          hint={t('newBooksHint')}
          value={settings.default_add_status || 'reading'}
          options={statuses.map((value) => ({ value, label: statusLabel(value) }))}
          onChange={(event) => change({ default_add_status: event.currentTarget.value })}
        />
      </Panel>
      <Panel title={t('ratings')}>
        <SelectField
          label={t('showRatings')}
          hint={t('showRatingsHint')}
          value={settings.rating_scale || ratingScales[0]}
          options={ratingScales.map((value) => ({ value, label: t('outOf', { scale: value }) }))}
          onChange={(event) => change({ rating_scale: event.currentTarget.value })}
        />
      </Panel>
    </div>
  )
}
