import { useHasPlans, useSite } from '#web/api/site.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { t } from '#web/i18n/pricing.ts'

const questions = [
  { question: 'questionWithoutPaying', answer: 'answerWithoutPaying', isAboutPaying: false },
  { question: 'questionStopPaying', answer: 'answerStopPaying', isAboutPaying: true },
  { question: 'questionCancel', answer: 'answerCancel', isAboutPaying: true },
  { question: 'questionPay', answer: 'answerPay', isAboutPaying: true },
  { question: 'questionEarlyBird', answer: 'answerEarlyBird', isAboutPaying: true },
  { question: 'questionTakeElsewhere', answer: 'answerTakeElsewhere', isAboutPaying: false },
] as const

/** The first question where everyone has everything. */
const forEveryone = {
  question: 'questionWithPremiumForAll',
  answer: 'answerWithPremiumForAll',
} as const

/** The pricing page's questions; opening one closes the others. */
export function Questions() {
  const { payments } = useSite()
  // Without plans for sale, skip the questions about paying.
  const asked = questions.filter(({ isAboutPaying }) => payments || !isAboutPaying)
  const shown = useHasPlans() ? asked : [forEveryone, ...asked.slice(1)]
  return (
    <section aria-labelledby="questions" className="mx-auto w-full max-w-4xl">
      <h2 id="questions" className="mb-3 text-2xl">
        {t('questions')}
      </h2>
      <div className="border-t border-line">
        {shown.map(({ question, answer }, place) => (
          <Disclosure
            key={question}
            summary={t(question)}
            group="pricing"
            defaultOpen={place === 0}
          >
            <p className="max-w-prose">{t(answer)}</p>
          </Disclosure>
        ))}
      </div>
    </section>
  )
}
