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
        description="What Octavo promises its readers, and what it asks of them."
        path="/terms"
      />
      <ProseSection title="What this is">
        <p>
          Octavo is a place to keep track of books. By making an account you agree to these terms
          and to the{' '}
          <TextLink asChild>
            <Link to="/privacy">Privacy Policy</Link>
          </TextLink>
          . If you do not agree, please do not use it.
        </p>
      </ProseSection>
      <ProseSection title="Who may use it">
        <p>
          You must be over 18 years old. One person has one account, and you look after your
          password and the devices you trust.
        </p>
      </ProseSection>
      <ProseSection title="Your name here">
        <p>
          A username may not impersonate somebody else and may not be offensive. The same holds for
          names, pictures and the names of public shelves. What breaks this can be hidden, and an
          account that goes on with it can be closed.
        </p>
      </ProseSection>
      <ProseSection title="What is yours">
        <p>
          What you write and upload stays yours. You allow Octavo to store it and to show it to
          those you have chosen, and nothing more. Upload only what you have the right to. You can
          take everything along and delete it whenever you like.
        </p>
      </ProseSection>
      <ProseSection title="What is not allowed">
        <ul>
          <li>to look for what others keep private, or to get around the limits of the service;</li>
          <li>to disturb it, or to use it to harm or harass anybody;</li>
          <li>to collect data about other readers in bulk.</li>
        </ul>
      </ProseSection>
      <ProseSection title="Plans and payment">
        <p>
          {plans.free.name} costs nothing. {plans.premium.name} costs ${plans.premium.monthly} a
          month or ${plans.premium.yearly} a year, is paid in advance through Stripe, and goes on
          until you cancel, which you can do at any time for the end of the period. Nothing you have
          kept is deleted when a subscription ends.
        </p>
      </ProseSection>
      <ProseSection title="Books and stores">
        <p>
          Facts about books come from public catalogues and from readers, and can be wrong. Links to
          stores and libraries are a convenience: what you buy or borrow there is between you and
          them.
        </p>
      </ProseSection>
      <ProseSection title="No warranty">
        <p>
          Octavo is offered as it is. It is made with care, and still it may be away for a while or
          make a mistake, so keep a copy of what matters to you. As far as the law allows, the
          liability for anything that comes from using it is limited to 100 USD.
        </p>
      </ProseSection>
      <ProseSection title="Ending">
        <p>
          You can delete your account at any time in{' '}
          <TextLink asChild>
            <Link to="/account/settings">your settings</Link>
          </TextLink>
          . An account that breaks these terms can be closed by whoever runs this Octavo.
        </p>
      </ProseSection>
      <ProseSection title="Changes">
        <p>
          Changes to these terms are announced 30 days before they hold. If you go on using Octavo
          after that, you agree to them. Questions? Write to <WriteToUs />.
        </p>
      </ProseSection>
    </Prose>
  )
}
