import { useSignInCode, useSite } from '#web/api/site.ts'
import { legalUpdated, Prose, ProseSection, useContact } from '#web/features/about/prose.tsx'
import { PageMeta } from '#web/features/shell/page-meta.tsx'
import { rich, t } from '#web/i18n/legal.ts'
import { linkTo } from '#web/ui/link.tsx'
import { noMeta } from '#web/api/load.ts'

export const meta = noMeta

export default function PrivacyScreen() {
  const hasCode = useSignInCode()
  const hasPayments = Boolean(useSite().payments)
  const contact = useContact()
  return (
    <Prose title={t('privacyPolicy')} updated={legalUpdated}>
      <PageMeta title={t('privacyPolicy')} description={t('privacyDescription')} path="/privacy" />
      <ProseSection title={t('inShort')}>
        <p>{t('inShortText')}</p>
      </ProseSection>
      <ProseSection title={t('whatWeStore')}>
        <ul>
          <li>{t('weStoreAccount')}</li>
          <li>{t('weStoreLibrary')}</li>
          <li>{t('weStoreSessions')}</li>
          <li>{t('weStoreDevices')}</li>
          {hasPayments ? <li>{t('weStoreSubscription')}</li> : null}
          <li>{t('weStoreReports')}</li>
        </ul>
      </ProseSection>
      <ProseSection title={t('whoCanSeeIt')}>
        <p>{rich('whoCanSeeItText', { settings: linkTo('/account/settings') })}</p>
      </ProseSection>
      <ProseSection title={t('otherServices')}>
        <p>{t('otherServicesText')}</p>
      </ProseSection>
      <ProseSection title={t('cookies')}>
        <p>{t('cookiesText')}</p>
      </ProseSection>
      <ProseSection title={t('email')}>
        <p>{hasCode ? t('weEmailYouCodes') : t('weEmailYou')}</p>
      </ProseSection>
      <ProseSection title={t('howLong')}>
        <p>{t('howLongText', { hasCode: String(hasCode), hasPayments: String(hasPayments) })}</p>
      </ProseSection>
      <ProseSection title={t('yourRights')}>
        <p>{rich('yourRightsText', contact)}</p>
      </ProseSection>
      <ProseSection title={t('children')}>
        <p>{rich('childrenText', contact)}</p>
      </ProseSection>
      <ProseSection title={t('changes')}>
        <p>{t('changesOfPolicy')}</p>
      </ProseSection>
    </Prose>
  )
}
