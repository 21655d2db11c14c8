import { Disclosure } from '#web/ui/disclosure.tsx'

const questions = [
  {
    question: 'What do I get without paying?',
    answer:
      'As many books as you like on five bookshelves, with progress, ratings, a wishlist, scanning and search. Your timeline shows your newest hundred entries. There is no trial that ends.',
  },
  {
    question: 'What happens to my shelves when I stop paying?',
    answer:
      'Nothing is deleted. All your shelves stay and can be read, changed and removed; only a new one has to wait until there are fewer than five. Older entries of your timeline are kept and show again with Premium Scholar.',
  },
  {
    question: 'Can I cancel at any time?',
    answer:
      'Yes, from Manage Subscription in your settings, without writing to anybody. You keep Premium Scholar until the period you have paid for is over.',
  },
  {
    question: 'How do I pay?',
    answer:
      'By card, through Stripe. The payment page is Stripe’s own: Octavo never sees the number of your card, only that the subscription is paid.',
  },
  {
    question: 'Can I take my books elsewhere?',
    answer:
      'At any time and with either plan: the settings have a download of everything you have told Octavo, and a table of your books that other trackers can read.',
  },
] as const

/** The pricing page's questions; opening one closes the others. */
export function Questions() {
  return (
    <section aria-labelledby="questions" className="mx-auto w-full max-w-4xl">
      <h2 id="questions" className="mb-3 text-2xl">
        Questions
      </h2>
      <div className="border-t border-line">
        {questions.map(({ question, answer }, place) => (
          <Disclosure key={question} summary={question} group="pricing" defaultOpen={place === 0}>
            <p className="max-w-prose">{answer}</p>
          </Disclosure>
        ))}
      </div>
    </section>
  )
}
