import { Mail } from 'lucide-react'
import { Link } from 'react-router'
import { plans } from '#shared/plan.ts'
import { useSession } from '#web/api/session.ts'
import { useSignInCode, useSite } from '#web/api/site.ts'
import { Prose, ProseSection } from '#web/features/about/prose.tsx'
import { PageHead } from '#web/features/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { t } from '#web/i18n/legal.ts'

/** Made with the page: {@link PageHead}. */
export const meta = () => []

export default function ContactScreen() {
  const { contactEmail, chat, forum, roadmap } = useSite()
  const places = [
    { href: chat, name: 'Chat', words: 'quick questions, and what others are reading' },
    { href: forum, name: 'Forum', words: 'ideas and lasting answers' },
    { href: roadmap, name: 'Roadmap', words: 'what we’re building next' },
  ].filter(({ href }) => href)
  return (
    <Prose title={t('contactAndHelp')}>
      <PageHead title={t('contact')} description={t('howToReachThePeople')} path="/contact" />
      <ProseSection title={t('writeToUs')}>
        {contactEmail ? (
          <>
            <p>{t('isSomethingBrokenMissingOr')}</p>
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
          <p>{t('theAdministratorOfThisSite2')}</p>
        )}
      </ProseSection>
      <Answers />
      {places.length > 0 ? (
        <ProseSection title={t('meetOtherReaders')}>
          <ul>
            {places.map(({ href, name, words }) => (
              <li key={name}>
                <TextLink href={href} external>
                  {name}
                </TextLink>
                : {words}
              </li>
            ))}
          </ul>
        </ProseSection>
      ) : null}
      <ProseSection title={t('aSmallSideProject')}>
        <p>
          {t('octavoIsASmallSide')} <PremiumPlan />
        </p>
      </ProseSection>
    </Prose>
  )
}

/** What people write about most, so that nobody has to wait for an answer. */
function Answers() {
  const isReader = Boolean(useSession())
  const hasCode = useSignInCode()
  const link = (to: string, text: string) => (
    <TextLink asChild>
      <Link to={to}>{text}</Link>
    </TextLink>
  )
  return (
    <ProseSection title={t('answers')}>
      <ul>
        {isReader ? null : (
          <li>Forgot your password? {link('/auth/forgot-password', 'Choose a new one')}.</li>
        )}
        {isReader || !hasCode ? null : <li>{t('noCodeInYourInbox')}</li>}
        <li>
          A book isn’t in the catalogue? Add it by hand, or search {link('/explore', 'Explore')} by
          its ISBN.
        </li>
        <li>{t('aTitleACoverOr')}</li>
        <li>
          Removed something by mistake? You can restore it for 30 days from{' '}
          {link('/account/removed', 'Recently removed')}.
        </li>
        <li>
          Want your data, or to leave? Download everything, or delete your account, in{' '}
          {link('/account/settings', 'Settings')}.
        </li>
        <li>{t('someonesProfileIsAbusiveOr')}</li>
      </ul>
    </ProseSection>
  )
}

/** Suggests the plan where it is sold, and says whom to ask for it elsewhere. */
function PremiumPlan() {
  const { payments, plan } = useSite()
  const link = (
    <TextLink asChild>
      <Link to="/pricing">{plans.premium.name} plan</Link>
    </TextLink>
  )
  if (plan === 'premium') return <>Everyone on this site has the {link}.</>
  if (!payments)
    return (
      <>If it has become part of your reading, ask the administrator of this site for the {link}.</>
    )
  return <>If it has become part of your reading, the {link} is the kindest way to keep it going.</>
}
