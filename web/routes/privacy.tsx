import { Link } from 'react-router'
import { legalUpdated, Prose, ProseSection, WriteToUs } from '#web/features/about/prose.tsx'
import { PageHead } from '#web/features/shell/page-head.tsx'
import { TextLink } from '#web/ui/link.tsx'

/** Made with the page: {@link PageHead}. */
export const meta = () => []

export default function PrivacyScreen() {
  return (
    <Prose title="Privacy Policy" updated={legalUpdated}>
      <PageHead
        title="Privacy Policy"
        description="What Octavo keeps of its readers, why, and for how long."
        path="/privacy"
      />
      <ProseSection title="In short">
        <p>
          Octavo keeps what you tell it about your reading, shows it to whom you choose, and lets
          you take it along or delete it at any time. There is no advertising, nothing is sold, and
          nobody else counts your visits.
        </p>
      </ProseSection>
      <ProseSection title="What is kept">
        <ul>
          <li>
            Your account: e-mail address, username, what you chose in your settings, and, if you
            give them, a name, an avatar and a background picture. Of your password only a hash is
            kept, from which it cannot be read.
          </li>
          <li>
            Your library: shelves, books, progress, ratings, pictures you upload, and the timeline
            that is written from them.
          </li>
          <li>
            Your sessions: when and with which kind of browser you signed in, so that you can see
            and end them in your settings; and a fingerprint of where from, from which no network
            address can be read, so that you hear of a sign-in from somewhere new.
          </li>
          <li>
            If you subscribe: the state of your subscription and your customer number at Stripe,
            which learns your e-mail address. Card numbers never reach Octavo.
          </li>
          <li>
            If you report a profile: what you said of it and when. Whoever runs this Octavo reads
            it; the reported reader does not learn who it was.
          </li>
        </ul>
      </ProseSection>
      <ProseSection title="Who sees it">
        <p>
          A public profile and its public shelves are seen by everybody: readers, search engines,
          and sites that show a picture of the covers beside a link. They also count towards how
          well known a book is, and which readers have a similar taste. A private shelf is seen by
          you alone, and so is everything if your profile is private: not in lists, not in counts,
          not in pictures. Your e-mail address is never shown to other readers. You change this in{' '}
          <TextLink asChild>
            <Link to="/account/settings">your settings</Link>
          </TextLink>
          , and it holds at once.
        </p>
      </ProseSection>
      <ProseSection title="Who else is asked">
        <p>
          When you search, Octavo may ask Open Library and Google Books for your words; the request
          comes from the server and says nothing of who you are. Covers are fetched by the server,
          too, so your browser talks to nobody but Octavo. Signing in with Google tells Google that
          you use Octavo. A link to a store, a library or a community leaves Octavo, and what is
          there is under their rules.
        </p>
      </ProseSection>
      <ProseSection title="Cookies">
        <p>
          One cookie keeps you signed in, and one remembers a device you chose to trust. Both are
          strictly necessary, cannot be read by scripts, and are not used to follow you. Your
          browser also remembers a few choices of how things look, such as the theme, for itself;
          what it holds of your library goes when you sign out.
        </p>
      </ProseSection>
      <ProseSection title="Mail">
        <p>
          You get mail about your account: codes, confirmations, and a notice when something
          important about it changes. There is no newsletter.
        </p>
      </ProseSection>
      <ProseSection title="How long">
        <p>
          Until you delete it. What you remove from your library can be brought back for 30 days and
          is gone after that. Deleting your account removes it with everything in it, pictures
          included, and your customer number at Stripe with it; your username is free for others 30
          days later. A username you have changed leads to the new one for 30 days. Copies in
          backups disappear as the backups grow old. The log of the server says what was asked and
          how it ended, without passwords, codes or addresses of e-mail.
        </p>
      </ProseSection>
      <ProseSection title="Your rights">
        <p>
          Your settings have a download of all your data, and corrections and deletion are yours to
          make. For anything else about your data, write to <WriteToUs />.
        </p>
      </ProseSection>
      <ProseSection title="Children">
        <p>
          Octavo is not meant for children under 13, and does not knowingly keep data about them. If
          you learn that a child has an account, write to <WriteToUs />, and it will be removed.
        </p>
      </ProseSection>
      <ProseSection title="Changes">
        <p>
          When this policy changes, the date above changes with it. What matters to you is announced
          30 days before it holds.
        </p>
      </ProseSection>
    </Prose>
  )
}
