import { Link } from 'react-router'
import { plans } from '#shared/plan.ts'
import { legalUpdated, Prose, ProseSection, WriteToUs } from '#web/features/about/prose.tsx'
import { PageHead } from '#web/features/shell/page-head.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { t } from '#web/i18n/legal.ts'

/** Made with the page: {@link PageHead}. */
export const meta = () => []

export default function TermsScreen() {
  return (
    <Prose title={t('termsOfService')} updated={legalUpdated}>
      <PageHead
        title={t('termsOfService')}
        description={t('whatOctavoPromisesItsReaders')}
        path="/terms"
      />
      <ProseSection title={t('whatThisIs')}>
        <p>
          Octavo is a place to keep track of books. By creating an account you agree to these terms
          and to the{' '}
          <TextLink asChild>
            <Link to="/privacy">{t('privacyPolicy')}</Link>
          </TextLink>
          . If you don’t agree, don’t use it.
        </p>
      </ProseSection>
      <ProseSection title={t('whoMayUseIt')}>
        <p>{t('youMustBeOver18')}</p>
      </ProseSection>
      <ProseSection title={t('yourUsername')}>
        <p>{t('aUsernameMayNotImpersonate')}</p>
      </ProseSection>
      <ProseSection title={t('yourContent')}>
        <p>{t('whatYouWriteAndUpload')}</p>
      </ProseSection>
      <ProseSection title={t('whatIsntAllowed')}>
        <ul>
          <li>{t('tryingToSeeWhatOthers')}</li>
          <li>{t('disruptingTheServiceOrUsing')}</li>
          <li>{t('collectingDataAboutOtherReaders')}</li>
        </ul>
      </ProseSection>
      <ProseSection title={t('plansAndPayment')}>
        <p>
          {plans.free.name} costs nothing. {plans.premium.name} costs ${plans.premium.monthly} a
          month or ${plans.premium.yearly} a year, paid in advance through Stripe. It renews until
          you cancel. You can cancel at any time, and it then runs to the end of the period. Nothing
          of yours is deleted when a subscription ends.
        </p>
      </ProseSection>
      <ProseSection title={t('booksAndStores')}>
        <p>{t('detailsOfBooksComeFrom')}</p>
      </ProseSection>
      <ProseSection title={t('noWarranty')}>
        <p>{t('octavoIsProvidedAsIs')}</p>
      </ProseSection>
      <ProseSection title={t('closingAnAccount')}>
        <p>
          You can delete your account at any time in{' '}
          <TextLink asChild>
            <Link to="/account/settings">{t('yourSettings')}</Link>
          </TextLink>
          . The administrator of this site may close an account that breaks these terms.
        </p>
      </ProseSection>
      <ProseSection title={t('changes')}>
        <p>
          We announce changes to these terms 30 days before they take effect. If you keep using
          Octavo after that, you agree to them. Questions? Write to <WriteToUs />.
        </p>
      </ProseSection>
    </Prose>
  )
}
