import { Container } from '#web/ui/page-shell.tsx'

/** Said by a kind of reader, never by a name. */
const voices = [
  {
    text: 'Three books on the go, one in every bag. I open Octavo and know the page in all of them.',
    who: 'A commuter with three bookmarks',
  },
  {
    text: 'Volume fourteen or fifteen? I check before I get to the till, not after.',
    who: 'A collector of long series',
  },
  {
    text: 'My father’s novels have a shelf of their own next to mine, and only I can see it.',
    who: 'A keeper of a family library',
  },
]

export function Testimonials() {
  return (
    <Container className="py-12 md:py-16">
      <h2 className="mb-8 text-2xl md:text-3xl">What readers use it for</h2>
      <ul className="grid gap-8 md:grid-cols-3">
        {voices.map(({ text, who }) => (
          <li key={who}>
            <figure className="flex h-full flex-col gap-4 border-s-2 border-rubric ps-5">
              <blockquote className="font-serif text-xl leading-8">“{text}”</blockquote>
              <figcaption className="mt-auto text-sm text-ink-soft">{who}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Container>
  )
}
