import { useSite } from '#web/api/site.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { t } from '#web/i18n/landing.ts'

interface Question {
  question: string
  answer: string
  /** Left out where nothing is sold. */
  isAboutPaying?: true
}

const questions: readonly Question[] = [
  {
    question: 'What do I get without paying?',
    answer:
      'As many books as you like on five bookshelves, with progress, ratings, a wishlist, scanning and search. Your timeline shows your newest hundred entries. There’s no trial that runs out.',
  },
  {
    isAboutPaying: true,
    question: 'What happens to my shelves when I stop paying?',
    answer:
      'Nothing is deleted. You can still open, edit and delete all your shelves, and add a new one once you have fewer than five. We keep the older entries of your timeline and show them again with Premium Scholar.',
  },
  {
    isAboutPaying: true,
    question: 'Can I cancel at any time?',
    answer:
      'Yes, from Manage Subscription in your settings. You keep Premium Scholar until the end of the period you’ve paid for.',
  },
  {
    isAboutPaying: true,
    question: 'How do I pay?',
    answer:
      'By card, through Stripe. The payment page is Stripe’s own: Octavo never sees your card number, only that the subscription is paid.',
  },
  {
    question: 'Can I take my books elsewhere?',
    answer:
      'Yes, at any time and on either plan. In your settings you can download everything you’ve told Octavo, and a table of your books that other trackers can read.',
  },
]

const premiumForAllQuestion: Question = {
  question: 'What do I get without paying?',
  answer:
    'Everything: as many books and bookshelves as you like, with progress, ratings, a wishlist, scanning and search, your whole timeline, and a colour of your own.',
}

/** The pricing page's questions; opening one closes the others. */
export function Questions() {
  const { payments, plan } = useSite()
  const [first, ...rest] = questions.filter(({ isAboutPaying }) => payments || !isAboutPaying)
  const shown = [plan === 'premium' ? premiumForAllQuestion : first, ...rest].filter(
    (one) => one !== undefined,
  )
  return (
    <section aria-labelledby="questions" className="mx-auto w-full max-w-4xl">
      <h2 id="questions" className="mb-3 text-2xl">
        {t('questions')}
      </h2>
      <div className="border-t border-line">
        {shown.map(({ question, answer }, place) => (
          <Disclosure key={question} summary={question} group="pricing" defaultOpen={place === 0}>
            <p className="max-w-prose">{answer}</p>
          </Disclosure>
        ))}
      </div>
    </section>
  )
}
