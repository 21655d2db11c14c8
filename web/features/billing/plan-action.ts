import { isPremium, useSession } from '#web/api/session.ts'
import { useSignUps, useSite } from '#web/api/site.ts'

/** The action that a viewer's plan allows. */
type PlanAction = 'subscribe' | 'manage' | 'sign-up' | undefined

/**
 * @returns `manage` with a subscription, `subscribe` without; where nothing is sold, `sign-up` for
 *   a visitor who may, else nothing
 */
export function usePlanAction(): PlanAction {
  const session = useSession()
  const site = useSite()
  const canSignUp = useSignUps() === 'open'
  if (site.payments && session?.hasSubscriptionStrict) return 'manage'
  if (site.payments && !isPremium(session, site)) return 'subscribe'
  return !session && canSignUp ? 'sign-up' : undefined
}
