import { BookOpenCheck, LibraryBig, Sparkles, Store, type LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import { Container } from '#web/ui/page-shell.tsx'
import { t } from '#web/i18n/landing.ts'
import { ProgressPicture, SearchPicture, ShelvesPicture, StoresPicture } from './point-pictures.tsx'

interface Point {
  title: string
  icon: LucideIcon
  picture: ComponentType
  text: string
}

const points: readonly Point[] = [
  {
    title: 'Track Progress',
    icon: BookOpenCheck,
    picture: ProgressPicture,
    text: 'Note the page you’re on and see how far you’ve come. Paused and dropped books count too, and so do half stars.',
  },
  {
    title: 'Custom Shelves',
    icon: LibraryBig,
    picture: ShelvesPicture,
    text: 'Name a shelf as you like, and share it with everyone or keep it to yourself. See it as covers, as a list, or as spines on a board.',
  },
  {
    title: 'AI Powered Search',
    icon: Sparkles,
    picture: SearchPicture,
    text: 'Half remembered, misspelt or only described: search finds the book you meant and shows the words that match.',
  },
  {
    title: 'Buy Legally',
    icon: Store,
    picture: StoresPicture,
    text: 'No pirated copies, ever. Each book’s page links to legal free editions, libraries and stores in your country. No store hears about you until you go there.',
  },
]

export function SellingPoints() {
  return (
    <Container className="py-12 md:py-16">
      <h2 className="sr-only">{t('whatOctavoDoesForYou')}</h2>
      <ul className="grid gap-4 sm:grid-cols-2 md:gap-6 xl:grid-cols-4">
        {points.map(({ title, icon: Icon, picture: Picture, text }) => (
          <li
            key={title}
            className="grid grid-cols-1 content-start overflow-hidden rounded-md border border-line bg-surface"
          >
            <div
              aria-hidden
              className="grid h-44 grid-cols-1 content-center border-b border-line bg-sunken px-5"
            >
              <Picture />
            </div>
            <div className="grid gap-2 p-5">
              <h3 className="flex items-center gap-2.5 text-xl">
                <Icon aria-hidden className="size-5 shrink-0 text-rubric" strokeWidth={1.75} />
                {title}
              </h3>
              <p className="text-ink-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Container>
  )
}
