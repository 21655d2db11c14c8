import { Link } from 'react-router'
import { plans } from '#shared/plan.ts'
import { legalUpdated, Prose, ProseSection, WriteToUs } from '#web/features/about/prose.tsx'
import { PageHead } from '#web/features/shell/page-head.tsx'
import { TextLink } from '#web/ui/link.tsx'

/** Made with the page: {@link PageHead}. */
export const meta = () => []

export default function TermsScreen() {
  return (
    <Prose title="Terms of Service" updated={legalUpdated}>
      <PageHead
        title="Terms of Service"
        description="What Octavo promises its readers and asks of them."
        path="/terms"
      />
      <ProseSection title="What this is">
        <p>
          Octavo is a place to keep track of books. By creating an account you agree to these terms
          and to the{' '}
          <TextLink asChild>
            <Link to="/privacy">Privacy Policy</Link>
          </TextLink>
          . If you don’t agree, don’t use it.
        </p>
      </ProseSection>
      <ProseSection title="Who may use it">
        <p>
          You must be over 18 years old. Each person may have one account. You’re responsible for
          your password and the devices you trust.
        </p>
      </ProseSection>
      <ProseSection title="Your username">
        <p>
          A username may not impersonate anyone or be offensive. The same goes for names, pictures
          and the names of public shelves. We may hide whatever breaks this rule and close accounts
          that keep breaking it.
        </p>
      </ProseSection>
      <ProseSection title="Your content">
        <p>
          What you write and upload stays yours. You allow Octavo to store it and show it to the
          people you choose, and nothing more. Upload only what you have the right to share. You can
          download and delete everything at any time.
        </p>
      </ProseSection>
      <ProseSection title="What isn’t allowed">
        <ul>
          <li>
            trying to see what others keep private, or to get around the limits of the service;
          </li>
          <li>disrupting the service, or using it to harm or harass anyone;</li>
          <li>collecting data about other readers in bulk.</li>
        </ul>
      </ProseSection>
      <ProseSection title="Plans and payment">
        <p>
          {plans.free.name} costs nothing. {plans.premium.name} costs ${plans.premium.monthly} a
          month or ${plans.premium.yearly} a year, paid in advance through Stripe. It renews until
          you cancel. You can cancel at any time, and it then runs to the end of the period. Nothing
          of yours is deleted when a subscription ends.
        </p>
      </ProseSection>
      <ProseSection title="Books and stores">
        <p>
          Details of books come from public catalogues and from readers, and can be wrong. Links to
          stores and libraries are a convenience: what you buy or borrow there is between you and
          them.
        </p>
      </ProseSection>
      <ProseSection title="No warranty">
        <p>
          Octavo is provided as is. We take care, but it may be unavailable or make mistakes, so
          keep a copy of what matters to you. As far as the law allows, liability for anything that
          comes from using Octavo is limited to 100 USD.
        </p>
      </ProseSection>
      <ProseSection title="Closing an account">
        <p>
          You can delete your account at any time in{' '}
          <TextLink asChild>
            <Link to="/account/settings">your settings</Link>
          </TextLink>
          . The administrator of this site may close an account that breaks these terms.
        </p>
      </ProseSection>
      <ProseSection title="Changes">
        <p>
          We announce changes to these terms 30 days before they take effect. If you keep using
          Octavo after that, you agree to them. Questions? Write to <WriteToUs />.
        </p>
      </ProseSection>
    </Prose>
  )
}
