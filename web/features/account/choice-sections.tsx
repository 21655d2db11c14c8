import type { Settings } from '#shared/account.ts'
import { languageName } from '#shared/language.ts'
import { dayEnds } from '#shared/partial-date.ts'
import { ratingScales } from '#shared/rating.ts'
import { streakDaysOff } from '#shared/streak.ts'
import { statuses } from '#shared/user-book.ts'
import { isPremium, useSession } from '#web/api/session.ts'
import { useSite } from '#web/api/site.ts'
import { statusLabel } from '#web/ui/status-badge.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useTheme } from '#web/ui/theme.ts'
import { t } from '#web/i18n/account.ts'
import { formatDate } from '#web/i18n/format.ts'
import { chooseLanguage } from '#web/i18n/choose-language.ts'
import { supportedLanguages } from '#web/i18n/language.ts'
import { AccentChoice } from './accent-choice.tsx'
import { SettingsChoice } from './settings-choice.tsx'
import { SettingsLink, SettingsRow, SettingsSection } from './settings-section.tsx'
import { useSettingsChange } from './use-settings-change.ts'

/** How the profile, the screens and new books are; each choice is saved at once. */
export function ChoiceSections({ settings }: { settings: Settings }) {
  const change = useSettingsChange(settings)
  const { theme, toggle } = useTheme()
  const hasAccent = isPremium(useSession(), useSite())

  return (
    <>
      <SettingsSection id="profile" title={t('profile')}>
        <SettingsLink title={t('editProfile')} hint={t('editProfileHint')} to="/account/edit" />
        <SettingsChoice
          name="isPrivate"
          title={t('profileVisibility')}
          hint={t('profileVisibilityHint')}
          label={t('whoCanSeeYourProfile')}
          value={settings.isPrivate ? 'private' : 'public'}
          options={[
            { value: 'public', label: t('public') },
            { value: 'private', label: t('private') },
          ]}
          onChoose={(value) => change({ isPrivate: value === 'private' })}
        />
      </SettingsSection>
      <SettingsSection id="appearance" title={t('appearance')}>
        <SettingsRow title={t('theme')}>
          <div className="grid gap-4">
            <Switch label={t('darkTheme')} checked={theme === 'dark'} onCheckedChange={toggle} />
            <AccentChoice
              value={settings.accent}
              isPremium={hasAccent}
              onChange={(accent) => change({ accent })}
            />
          </div>
        </SettingsRow>
        {supportedLanguages.length > 1 ? (
          <SettingsChoice
            name="language"
            title={t('language')}
            hint={t('languageHint')}
            label={t('language')}
            value={settings.language}
            options={[
              { value: '', label: t('useBrowserSetting') },
              ...supportedLanguages.map((value) => ({ value, label: languageName(value) })),
            ]}
            onChoose={(language) => change({ language }, () => chooseLanguage(language))}
          />
        ) : null}
      </SettingsSection>
      <SettingsSection id="reading" title={t('reading')}>
        <SettingsChoice
          name="default_add_status"
          title={t('newBooks')}
          hint={t('newBooksHint')}
          label={t('status')}
          value={settings.default_add_status || 'reading'}
          options={statuses.map((value) => ({ value, label: statusLabel(value) }))}
          onChoose={(value) => change({ default_add_status: value })}
        />
        <SettingsChoice
          name="rating_scale"
          title={t('ratings')}
          hint={t('showRatingsHint')}
          label={t('showRatings')}
          value={settings.rating_scale || ratingScales[0]}
          options={ratingScales.map((value) => ({ value, label: t('outOf', { scale: value }) }))}
          onChoose={(value) => change({ rating_scale: value })}
        />
        <SettingsChoice
          name="day_ends"
          title={t('dayEnds')}
          hint={t('dayEndsHint')}
          label={t('dayEnds')}
          value={settings.day_ends || dayEnds[0]}
          options={dayEnds.map((value) => ({ value, label: hourName(Number(value)) }))}
          onChoose={(value) => change({ day_ends: value })}
        />
        <SettingsChoice
          name="streak_days_off"
          title={t('daysOff')}
          hint={t('daysOffHint')}
          label={t('daysOff')}
          value={settings.streak_days_off || streakDaysOff[0]}
          options={streakDaysOff.map((value) => ({
            value,
            label: t('daysOffAWeek', { count: Number(value) }),
          }))}
          onChoose={(value) => change({ streak_days_off: value })}
        />
      </SettingsSection>
    </>
  )
}

/** @returns "Midnight" or "4 AM", as the language writes it */
const hourName = (hour: number): string =>
  hour === 0
    ? t('midnight')
    : formatDate(new Date(Date.UTC(2000, 0, 1, hour)), { hour: 'numeric', timeZone: 'UTC' })
