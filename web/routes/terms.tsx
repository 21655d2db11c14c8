import { plans } from '#shared/plan.ts'
import { useSite } from '#web/api/site.ts'
import { legalUpdated, Prose, ProseSection, useContact } from '#web/features/about/prose.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { dollars, formatNumber } from '#web/i18n/format.ts'
import { rich, t } from '#web/i18n/legal.ts'
import { linkTo } from '#web/ui/link.tsx'
import { noMeta } from '#web/api/load.ts'

export const meta = noMeta

export default function TermsScreen() {
  const contact = useContact()
  const { payments } = useSite()
  const { free, premium } = plans
  return (
    <Prose title={t('termsOfService')} updated={legalUpdated}>
      <PageMeta title={t('termsOfService')} description={t('termsDescription')} path="/terms" />
      <ProseSection title={t('whatThisIs')}>
        <p>{rich('whatThisIsText', { privacy: linkTo('/privacy') })}</p>
      </ProseSection>
      <ProseSection title={t('whoMayUseIt')}>
        <p>{t('whoMayUseItText')}</p>
      </ProseSection>
      <ProseSection title={t('yourUsername')}>
        <p>{t('yourUsernameText')}</p>
      </ProseSection>
      <ProseSection title={t('yourContent')}>
        <p>{t('yourContentText')}</p>
      </ProseSection>
      <ProseSection title={t('whatIsntAllowed')}>
        <ul>
          <li>{t('notAllowedTrespassing')}</li>
          <li>{t('notAllowedDisrupting')}</li>
          <li>{t('notAllowedCollecting')}</li>
        </ul>
      </ProseSection>
      {payments ? (
        <ProseSection title={t('plansAndPayment')}>
          <p>
            {t('plansAndPaymentText', {
              free: free.name,
              premium: premium.name,
              monthly: formatNumber(premium.monthly, dollars),
              yearly: formatNumber(premium.yearly, dollars),
            })}
          </p>
        </ProseSection>
      ) : null}
      <ProseSection title={t('booksAndStores')}>
        <p>{t('booksAndStoresText')}</p>
      </ProseSection>
      <ProseSection title={t('noWarranty')}>
        <p>{t('noWarrantyText')}</p>
      </ProseSection>
      <ProseSection title={t('closingAnAccount')}>
        <p>{rich('closingAnAccountText', { settings: linkTo('/account/settings') })}</p>
      </ProseSection>
      <ProseSection title={t('changes')}>
        <p>{rich('changesOfTerms', contact)}</p>
      </ProseSection>
    </Prose>
  )
}
