import { BookOpenCheck, LibraryBig, Sparkles, Store, type LucideIcon } from 'lucide-react'
import { Container } from '#web/ui/page-shell.tsx'

const points: readonly { title: string; icon: LucideIcon; text: string }[] = [
  {
    title: 'Track Progress',
    icon: BookOpenCheck,
    text: 'Say which page you are on and see how far you have come. What you paused or dropped is kept as honestly as what you finished, and half stars are stars too.',
  },
  {
    title: 'Custom Shelves',
    icon: LibraryBig,
    text: 'Name a shelf as you please, for everyone to see or for you alone. See it as covers, as a list, or as spines on a board.',
  },
  {
    title: 'AI Powered Search',
    icon: Sparkles,
    text: 'Half remembered, misspelt, or only described, such as “coming of age at a wizard school”: the search finds the book you meant and shows the words that fit.',
  },
  {
    title: 'Buy Legally',
    icon: Store,
    text: 'No pirated copies, ever. The page of a book leads to free editions that are legal, to libraries, and to the stores of your country; no store hears of you before you go there.',
  },
]

export function SellingPoints() {
  return (
    <Container className="py-12">
      <h2 className="sr-only">What Octavo does for you</h2>
      <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-4">
        {points.map(({ title, icon: Icon, text }) => (
          <li key={title} className="grid content-start gap-3 border-t border-line pt-5">
            <Icon aria-hidden className="size-6 text-rubric" strokeWidth={1.5} />
            <h3 className="text-xl">{title}</h3>
            <p className="text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
    </Container>
  )
}
