import { useSite } from '#web/api/site.ts'
import { Container } from '#web/ui/page-shell.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { t } from '#web/i18n/landing.ts'

/** Links to the community, as far as the operator has set them. */
export function Community() {
  const { chat, forum, roadmap } = useSite()
  const places = [
    { href: chat, name: t('chat'), words: t('chatText') },
    { href: forum, name: t('forum'), words: t('forumText') },
    { href: roadmap, name: t('roadmap'), words: t('roadmapText') },
  ].filter(({ href }) => href)
  if (places.length === 0) return null
  return (
    <Container className="pb-12 md:pb-16">
      <h2 className="mb-3 text-2xl md:text-3xl">{t('joinTheCommunity')}</h2>
      <p className="mb-6 max-w-prose text-ink-soft">{t('joinTheCommunityText')}</p>
      <ul className="grid gap-4 sm:grid-cols-2 md:gap-6 lg:grid-cols-3">
        {places.map(({ href, name, words }) => (
          <li
            key={name}
            className="relative rounded-md border border-line bg-surface p-5 transition-colors hover:border-line-strong"
          >
            <p>
              <TextLink href={href} external className="after:absolute after:inset-0">
                {name}
              </TextLink>
            </p>
            <p className="text-sm text-ink-soft">{words}</p>
          </li>
        ))}
      </ul>
    </Container>
  )
}
