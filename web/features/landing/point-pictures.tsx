import { Globe, Lock, Search } from 'lucide-react'
import { coverColour } from '#shared/cover-theme.ts'
import { Cover } from '#web/ui/cover.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { t } from '#web/i18n/landing.ts'

/** Small pieces of the screens themselves, to be looked at. They say nothing the text does not. */

export function ProgressPicture() {
  const underWay = [
    { title: t('middlemarch'), author: t('georgeEliot'), page: 512, pages: 880 },
    { title: t('kokoro'), author: t('natsumeSoseki'), page: 248, pages: 248 },
    { title: t('candide'), author: t('voltaire'), page: 31, pages: 144 },
  ]
  return (
    <ul className="grid gap-2.5">
      {underWay.map(({ title, author, page, pages }) => (
        <li key={title} className="grid grid-cols-[1.5rem_minmax(0,1fr)] items-center gap-3">
          <Cover title={title} author={author} alt="" />
          <span className="grid gap-1">
            <span className="truncate font-serif text-sm leading-4">{title}</span>
            <ProgressBar
              percent={(page / pages) * 100}
              label={title}
              // Isolated, so that Arabic keeps the order.
              text={`\u2066${page} / ${pages}\u2069`}
              showText
              tone={page === pages ? 'completed' : 'rubric'}
            />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The books' titles choose how the spines look; they are not shown. */
const boards = [
  {
    name: 'winterReading',
    icon: Globe,
    titles: 'Emma Dune Ivanhoe Nana Villette Walden Nadja Sula',
  },
  { name: 'forMeAlone', icon: Lock, titles: 'Persuasion Kim Ulysses Beloved Utopia Faust' },
] as const

export function ShelvesPicture() {
  return (
    <ul className="grid gap-4">
      {boards.map(({ name, icon: Icon, titles }) => (
        <li key={name}>
          <span className="flex h-10 items-end gap-px border-b-4 border-line ps-1">
            {titles.split(' ').map((title) => (
              <span
                key={title}
                className="rounded-t-[2px]"
                style={{
                  background: coverColour(title, ''),
                  width: 10 + (title.length % 4) * 4,
                  height: 28 + ((title.length * 7) % 5) * 3,
                }}
              />
            ))}
          </span>
          <span className="flex items-center gap-1.5 pt-1 text-xs text-ink-soft">
            <Icon className="size-3" />
            {t(name)}
          </span>
        </li>
      ))}
    </ul>
  )
}

export function SearchPicture() {
  return (
    <div className="grid grid-cols-1 gap-3">
      <span className="flex items-center gap-2 rounded-md border border-line-strong bg-surface px-3 py-2 text-sm">
        <Search className="size-4 shrink-0 text-ink-faint" />
        <span className="truncate">{t('huntingAWhiteWhale')}</span>
      </span>
      <span className="grid grid-cols-[2.75rem_minmax(0,1fr)] items-center gap-3">
        <Cover title={t('mobyDick')} author={t('hermanMelville')} alt="" />
        <span className="grid gap-0.5">
          <span className="font-serif text-sm font-medium">{t('mobyDick')}</span>
          <span className="line-clamp-3 font-serif text-xs text-ink-soft italic">
            {t('whiteWhaleMatch')}
          </span>
        </span>
      </span>
    </div>
  )
}

export function StoresPicture() {
  const ways = [
    { name: 'Project Gutenberg', how: t('free') },
    { name: t('yourLibrary'), how: t('toBorrow') },
    { name: t('yourBookshop'), how: t('toBuy') },
  ]
  return (
    <ul className="grid gap-2">
      {ways.map(({ name, how }) => (
        <li
          key={name}
          className="flex items-center gap-2.5 rounded-md border border-line bg-surface px-3 py-2 text-sm"
        >
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="shrink-0 text-xs text-ink-soft">{how}</span>
        </li>
      ))}
    </ul>
  )
}
