import { useMutation } from '@tanstack/react-query'
import type PocketBase from 'pocketbase'
import { useLocation, useNavigate } from 'react-router'
import { PaymentAddressError } from '#web/api/billing.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, genericErrorMessage, isApiError, isSignedOut } from '#web/api/errors.ts'
import { loginPath } from '#web/api/session.ts'
import { showError } from '#web/ui/fetch-toast.ts'

/** How long a browser may take to leave before the button can be pressed again; milliseconds. */
const patience = 10_000

/**
 * Takes the reader to a page of the payment provider.
 *
 * @param ask finds its address
 */
export function usePaymentPage(ask: (api: PocketBase) => Promise<string>) {
  const api = useApi()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      window.location.assign(await ask(api))
      await left()
    },
    onError: async (error) => {
      showError(await failureMessage(error))
      if (isSignedOut(error)) void navigate(loginPath(pathname + search))
    },
  })
  return { open: () => mutate(), isPending }
}

async function failureMessage(error: unknown): Promise<string> {
  if (error instanceof PaymentAddressError) {
    const { ruleMessage } = await import('#web/i18n/rules.ts')
    return ruleMessage({ key: 'paymentAddress' })
  }
  return isApiError(error) ? errorMessage(error) : genericErrorMessage()
}

/** The button stays busy until the page unloads. */
function left(): Promise<unknown> {
  return new Promise((resolve) => {
    window.addEventListener('pagehide', resolve, { once: true })
    setTimeout(resolve, patience)
  })
}
