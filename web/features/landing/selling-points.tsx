import { BookOpenCheck, LibraryBig, Sparkles, Store, type LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import { Container } from '#web/ui/page-shell.tsx'
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
    text: 'Say which page you are on and see how far you have come. What you paused or dropped is kept as honestly as what you finished, and half stars are stars too.',
  },
  {
    title: 'Custom Shelves',
    icon: LibraryBig,
    picture: ShelvesPicture,
    text: 'Name a shelf as you please, for everyone to see or for you alone. See it as covers, as a list, or as spines on a board.',
  },
  {
    title: 'AI Powered Search',
    icon: Sparkles,
    picture: SearchPicture,
    text: 'Half remembered, misspelt, or only described: the search finds the book you meant and shows the words that fit.',
  },
  {
    title: 'Buy Legally',
    icon: Store,
    picture: StoresPicture,
    text: 'No pirated copies, ever. The page of a book leads to free editions that are legal, to libraries, and to the stores of your country; no store hears of you before you go there.',
  },
]

export function SellingPoints() {
  return (
    <Container className="py-12 md:py-16">
      <h2 className="sr-only">What Octavo does for you</h2>
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
