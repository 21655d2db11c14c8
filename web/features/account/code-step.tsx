import { lazy, Suspense } from 'react'
import type { SecondStep } from '#web/api/session.ts'

/** The second step is fetched while the first is being answered; call it before showing the step. */
export const fetchCodeForm = () => import('./code-form.tsx')

const CodeForm = lazy(fetchCodeForm)

export function CodeStep(props: { first: SecondStep; origin: string }) {
  return (
    <Suspense>
      <CodeForm {...props} />
    </Suspense>
  )
}
