import {
  BookOpen,
  ChevronRight,
  Library,
  Palette,
  Shield,
  Trash2,
  UserRound,
  type LucideIcon,
} from 'lucide-react'
import type { Settings } from '#shared/account.ts'
import { ratingScales } from '#shared/rating.ts'
import { languageName } from '#shared/language.ts'
import { t } from '#web/i18n/account.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { useSession } from '#web/api/session.ts'

interface Entry {
  /** The {@link SettingsSection} that it leads to. */
  id: string
  label: string
  Icon: LucideIcon
  /** What is set now. */
  value?: string
}

/** What the settings are about: at the side, and on a phone in front of them, with what is set. */
export function SettingsList({ settings }: { settings: Settings }) {
  const isActive = useSession()?.hasSubscriptionStrict
  const entries: Entry[] = [
    {
      id: 'profile',
      label: t('profile'),
      Icon: UserRound,
      value: settings.isPrivate ? t('private') : t('public'),
    },
    {
      id: 'appearance',
      label: t('appearance'),
      Icon: Palette,
      value: languageName(currentLanguage()),
    },
    {
      id: 'reading',
      label: t('reading'),
      Icon: BookOpen,
      value: t('outOf', { scale: settings.rating_scale || ratingScales[0] }),
    },
    { id: 'library', label: t('library'), Icon: Library },
    { id: 'account', label: t('account'), Icon: Shield, value: isActive ? t('active') : '' },
    { id: 'danger-zone', label: t('dangerZone'), Icon: Trash2 },
  ]
  return (
    <nav aria-label={t('settings')} className="lg:sticky lg:top-24 lg:self-start">
      <ul>
        {entries.map(({ id, label, Icon, value }) => (
          <li key={id} className="max-lg:border-t max-lg:border-line">
            <a
              href={`#${id}`}
              className="flex min-h-13 items-center gap-3 font-medium hover:text-rubric lg:min-h-11 lg:text-sm"
            >
              <Icon aria-hidden className="size-5 shrink-0 text-ink-soft lg:size-4" />
              <span className="min-w-0 flex-1">{label}</span>
              {value ? (
                <span className="text-sm font-normal text-ink-soft lg:hidden">{value}</span>
              ) : null}
              <ChevronRight
                aria-hidden
                className="size-5 shrink-0 text-ink-faint rtl:-scale-x-100 lg:hidden"
              />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
