import { Mail } from 'lucide-react'
import type { ReactNode } from 'react'
import { plans } from '#shared/plan.ts'
import { useSession } from '#web/api/session.ts'
import { useHasPlans, useSignInCode, useSite } from '#web/api/site.ts'
import { Prose, ProseSection } from '#web/features/about/prose.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextLink, linkTo } from '#web/ui/link.tsx'
import { rich, t } from '#web/i18n/legal.ts'
import { noMeta } from '#web/api/load.ts'

export const meta = noMeta

const outside = (href: string | undefined) => (name: ReactNode) => (
  <TextLink href={href} external>
    {name}
  </TextLink>
)

export default function ContactScreen() {
  const { contactEmail, chat, forum, roadmap } = useSite()
  const places = (
    [
      { href: chat, key: 'chatPlace' },
      { href: forum, key: 'forumPlace' },
      { href: roadmap, key: 'roadmapPlace' },
    ] as const
  ).filter(({ href }) => href)
  return (
    <Prose title={t('contactAndHelp')}>
      <PageMeta title={t('contact')} description={t('contactDescription')} path="/contact" />
      <ProseSection title={t('writeToUs')}>
        {contactEmail ? (
          <>
            <p>{t('writeToUsText')}</p>
            <div>
              <Button variant="primary" asChild>
                <a href={`mailto:${contactEmail}`}>
                  <Mail aria-hidden className="size-4" />
                  {contactEmail}
                </a>
              </Button>
            </div>
          </>
        ) : (
          <p>{t('noContactEmail')}</p>
        )}
      </ProseSection>
      <Answers />
      {places.length > 0 ? (
        <ProseSection title={t('meetOtherReaders')}>
          <ul>
            {places.map(({ href, key }) => (
              <li key={key}>{rich(key, { place: outside(href) })}</li>
            ))}
          </ul>
        </ProseSection>
      ) : null}
      <ProseSection title={t('aSmallSideProject')}>
        <p>
          {t('aSmallSideProjectText')} <PremiumPlan />
        </p>
      </ProseSection>
    </Prose>
  )
}

/** The most frequent questions, answered without an email. */
function Answers() {
  const isReader = Boolean(useSession())
  const hasCode = useSignInCode()
  return (
    <ProseSection title={t('answers')}>
      <ul>
        {isReader ? null : (
          <li>{rich('forgotYourPassword', { link: linkTo('/auth/forgot-password') })}</li>
        )}
        {isReader || !hasCode ? null : <li>{t('noCodeInYourInbox')}</li>}
        <li>{rich('bookIsMissing', { explore: linkTo('/explore') })}</li>
        <li>{t('bookIsWrong')}</li>
        <li>{rich('removedByMistake', { removed: linkTo('/account/removed') })}</li>
        <li>{rich('wantYourData', { settings: linkTo('/account/settings') })}</li>
        <li>{t('profileIsAbusive')}</li>
      </ul>
    </ProseSection>
  )
}

/** Suggests the plan where it is sold, and says whom to ask for it where there are limits. */
function PremiumPlan() {
  const { payments } = useSite()
  const values = { name: plans.premium.name, plan: linkTo('/pricing') }
  if (!useHasPlans()) return null
  return payments ? rich('payForPlan', values) : rich('askForPlan', values)
}
