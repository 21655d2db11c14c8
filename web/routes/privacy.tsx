import { Link } from 'react-router'
import { useSignInCode } from '#web/api/site.ts'
import { legalUpdated, Prose, ProseSection, WriteToUs } from '#web/features/about/prose.tsx'
import { PageHead } from '#web/features/shell/page-head.tsx'
import { TextLink } from '#web/ui/link.tsx'

/** Made with the page: {@link PageHead}. */
export const meta = () => []

export default function PrivacyScreen() {
  const hasCode = useSignInCode()
  return (
    <Prose title="Privacy Policy" updated={legalUpdated}>
      <PageHead
        title="Privacy Policy"
        description="What Octavo stores about its readers, why, and for how long."
        path="/privacy"
      />
      <ProseSection title="In short">
        <p>
          Octavo stores what you tell it about your reading, shows it to the people you choose, and
          lets you download or delete it at any time. There’s no advertising, nothing is sold, and
          nobody else tracks your visits.
        </p>
      </ProseSection>
      <ProseSection title="What we store">
        <ul>
          <li>
            Your account: email, username, settings and, if you add them, a name, an avatar and a
            background picture. We store only a hash of your password, which can’t be turned back
            into it.
          </li>
          <li>
            Your library: shelves, books, progress, ratings, pictures you upload, and the timeline
            built from them.
          </li>
          <li>
            Your sessions: when you signed in and with which kind of browser, so that you can see
            and end them in your settings. We also store a fingerprint of where you signed in, which
            can’t be turned back into a network address, so that we can tell you about a sign-in
            from somewhere new.
          </li>
          <li>
            If you subscribe: the state of your subscription and your customer number at Stripe,
            which receives your email. Card numbers never reach Octavo.
          </li>
          <li>
            If you report a profile: what you said about it and when. The administrator of this site
            reads it. The reader you report isn’t told who you are.
          </li>
        </ul>
      </ProseSection>
      <ProseSection title="Who can see it">
        <p>
          Everyone can see a public profile and its public shelves: readers, search engines, and
          sites that show a preview of a link. They also count towards how popular a book is and
          which readers have similar taste. Only you can see a private shelf. If your profile is
          private, only you can see any of it: it doesn’t appear in lists, counts or pictures. Other
          readers never see your email. You can change this in{' '}
          <TextLink asChild>
            <Link to="/account/settings">your settings</Link>
          </TextLink>
          , and changes take effect at once.
        </p>
      </ProseSection>
      <ProseSection title="Other services">
        <p>
          When you search, Octavo may send your words to Open Library and Google Books. The request
          comes from our server and doesn’t say who you are. The server fetches covers too, so your
          browser talks only to Octavo. Signing in with Google tells Google that you use Octavo.
          Links to stores, libraries and communities leave Octavo, and their own rules apply there.
        </p>
      </ProseSection>
      <ProseSection title="Cookies">
        <p>
          One cookie keeps you signed in, and one remembers a device you chose to trust. Both are
          strictly necessary, can’t be read by scripts, and aren’t used to track you. Your browser
          also remembers a few display choices, such as the theme. What it stores of your library is
          deleted when you sign out.
        </p>
      </ProseSection>
      <ProseSection title="Email">
        <p>
          We email you about your account: {hasCode ? 'codes, ' : ''}confirmations, and a notice
          when something important changes. There’s no newsletter.
        </p>
      </ProseSection>
      <ProseSection title="How long">
        <p>
          We keep your data until you delete it. You can restore what you remove from your library
          for 30 days; after that it’s gone. Deleting your account deletes everything in it,
          including pictures and your customer number at Stripe. Your username becomes free for
          others 30 days later. If you change your username, the old one leads to the new one for 30
          days. Copies in backups disappear as the backups expire. The server’s log records each
          request and its result, without passwords{hasCode ? ', codes' : ''} or email addresses.
        </p>
      </ProseSection>
      <ProseSection title="Your rights">
        <p>
          You can download, correct and delete your data in your settings. For anything else about
          your data, write to <WriteToUs />.
        </p>
      </ProseSection>
      <ProseSection title="Children">
        <p>
          Octavo isn’t meant for children under 13 and doesn’t knowingly store data about them. If
          you learn that a child has an account, write to <WriteToUs />, and we’ll remove it.
        </p>
      </ProseSection>
      <ProseSection title="Changes">
        <p>
          When this policy changes, so does the date above. We announce changes that matter to you
          30 days before they take effect.
        </p>
      </ProseSection>
    </Prose>
  )
}
