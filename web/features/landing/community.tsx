import { useSite } from '#web/api/site.ts'
import { Container } from '#web/ui/page-shell.tsx'
import { TextLink } from '#web/ui/link.tsx'

/** Where readers meet, as far as the operator has such places. */
export function Community() {
  const { chat, forum, roadmap } = useSite()
  const places = [
    { href: chat, name: 'Chat' },
    { href: forum, name: 'Forum' },
    { href: roadmap, name: 'Roadmap' },
  ].filter(({ href }) => href)
  if (places.length === 0) return null
  return (
    <Container className="pb-12 md:pb-16">
      <h2 className="mb-3 text-2xl">Join the community</h2>
      <p className="mb-4 max-w-prose text-ink-soft">
        Ask other readers, report what is broken, say what is missing.
      </p>
      <ul className="flex flex-wrap gap-x-6 gap-y-2">
        {places.map(({ href, name }) => (
          <li key={name}>
            <TextLink href={href} external className="inline-flex min-h-11 items-center">
              {name}
            </TextLink>
          </li>
        ))}
      </ul>
    </Container>
  )
}
