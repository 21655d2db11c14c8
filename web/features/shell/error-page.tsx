import { isRouteErrorResponse, Link, useNavigate, useRevalidator } from 'react-router'
import { errorMessageOf, isApiError } from '#web/api/errors.ts'
import { answerMessage } from '#web/i18n/lazy-answers.ts'
import { ErrorScreen } from '#web/ui/error-screen.tsx'
import { t } from '#web/i18n/shell.ts'

/** The texts of a failed screen. */
interface Failure {
  status: number
  /** The screen's own sentence; by default there is one for each status. */
  message?: string
}

/** The record service's own word for a 404; the error screen has a better one for a page. */
const recordNotFound = "The requested resource wasn't found."

/** @returns status and sentence of whatever a loader or a screen threw; 500 when it is unknown */
export function failure(error: unknown): Failure {
  if (isApiError(error))
    return said(error.status || 500, { message: error.message, sentence: errorMessageOf(error) })
  return isRouteErrorResponse(error) ? said(error.status, error.data) : { status: 500 }
}

/**
 * What a failed server says may be about its insides, and what it says to a stranger is for programs;
 * a sentence of a screen's own is for readers.
 */
function said(status: number, body: unknown): Failure {
  const { message, sentence } = (body ?? {}) as Record<string, unknown>
  const isForReaders = status < 500 && status !== 401 && message !== recordNotFound
  if (typeof sentence === 'string' && sentence) return { status, message: sentence }
  return isForReaders && typeof message === 'string' && message
    ? { status, message: answerMessage(message) }
    : { status }
}

export function ErrorPage({ error }: { error: unknown }) {
  const navigate = useNavigate()
  // A page opened by its address has none before it.
  const goBack = () => (history.length > 1 ? navigate(-1) : navigate('/'))
  const { revalidate, state } = useRevalidator()
  const failed = failure(error)
  // A failure of the server or of the connection may be temporary; a refusal is final.
  const retry =
    failed.status >= 500
      ? { onPress: () => void revalidate(), pending: state === 'loading' }
      : undefined
  return (
    <>
      {/* Here, as a screen that fails while it is drawn has no meta of its own. */}
      <title>{`${failed.status} | Octavo`}</title>
      <ErrorScreen
        {...failed}
        onBack={() => void goBack()}
        retry={retry}
        home={<Link to="/">{t('home')}</Link>}
      />
    </>
  )
}
