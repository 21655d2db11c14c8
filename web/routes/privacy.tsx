import { Link } from 'react-router'
import { useSignInCode } from '#web/api/site.ts'
import { legalUpdated, Prose, ProseSection, WriteToUs } from '#web/features/about/prose.tsx'
import { PageHead } from '#web/features/shell/page-head.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { t } from '#web/i18n/legal.ts'

/** Made with the page: {@link PageHead}. */
export const meta = () => []

export default function PrivacyScreen() {
  const hasCode = useSignInCode()
  return (
    <Prose title={t('privacyPolicy')} updated={legalUpdated}>
      <PageHead
        title={t('privacyPolicy')}
        description={t('whatOctavoStoresAboutIts')}
        path="/privacy"
      />
      <ProseSection title={t('inShort')}>
        <p>{t('octavoStoresWhatYouTell')}</p>
      </ProseSection>
      <ProseSection title={t('whatWeStore')}>
        <ul>
          <li>{t('yourAccountEmailUsernameSettings')}</li>
          <li>{t('yourLibraryShelvesBooksProgress')}</li>
          <li>{t('yourSessionsWhenYouSigned')}</li>
          <li>{t('ifYouSubscribeTheState')}</li>
          <li>{t('ifYouReportAProfile')}</li>
        </ul>
      </ProseSection>
      <ProseSection title={t('whoCanSeeIt')}>
        <p>
          Everyone can see a public profile and its public shelves: readers, search engines, and
          sites that show a preview of a link. They also count towards how popular a book is and
          which readers have similar taste. Only you can see a private shelf. If your profile is
          private, only you can see any of it: it doesn’t appear in lists, counts or pictures. Other
          readers never see your email. You can change this in{' '}
          <TextLink asChild>
            <Link to="/account/settings">{t('yourSettings')}</Link>
          </TextLink>
          , and changes take effect at once.
        </p>
      </ProseSection>
      <ProseSection title={t('otherServices')}>
        <p>{t('whenYouSearchOctavoMay')}</p>
      </ProseSection>
      <ProseSection title={t('cookies')}>
        <p>{t('oneCookieKeepsYouSigned')}</p>
      </ProseSection>
      <ProseSection title={t('email')}>
        <p>
          We email you about your account: {hasCode ? 'codes, ' : ''}confirmations, and a notice
          when something important changes. There’s no newsletter.
        </p>
      </ProseSection>
      <ProseSection title={t('howLong')}>
        <p>
          We keep your data until you delete it. You can restore what you remove from your library
          for 30 days; after that it’s gone. Deleting your account deletes everything in it,
          including pictures and your customer number at Stripe. Your username becomes free for
          others 30 days later. If you change your username, the old one leads to the new one for 30
          days. Copies in backups disappear as the backups expire. The server’s log records each
          request and its result, without passwords{hasCode ? t('codes') : ''} or email addresses.
        </p>
      </ProseSection>
      <ProseSection title={t('yourRights')}>
        <p>
          You can download, correct and delete your data in your settings. For anything else about
          your data, write to <WriteToUs />.
        </p>
      </ProseSection>
      <ProseSection title={t('children')}>
        <p>
          Octavo isn’t meant for children under 13 and doesn’t knowingly store data about them. If
          you learn that a child has an account, write to <WriteToUs />, and we’ll remove it.
        </p>
      </ProseSection>
      <ProseSection title={t('changes')}>
        <p>{t('whenThisPolicyChangesSo')}</p>
      </ProseSection>
    </Prose>
  )
}
