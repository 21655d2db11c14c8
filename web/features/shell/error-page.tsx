import { ClientResponseError } from 'pocketbase'
import { isRouteErrorResponse, Link, useNavigate } from 'react-router'
import { ErrorScreen } from '#web/ui/error-screen.tsx'

/** What a failed screen says. */
export interface Failure {
  status: number
  /** A sentence of its own; otherwise the screen has one for the status. */
  message?: string
}

/** The record service's own word for a 404; the error screen has a better one for a page. */
const recordNotFound = "The requested resource wasn't found."

/** @returns status and sentence of whatever a loader or a screen threw; 500 when it is unknown */
export function failure(error: unknown): Failure {
  if (error instanceof ClientResponseError) return said(error.status || 500, error.message)
  if (!isRouteErrorResponse(error)) return { status: 500 }
  const body: unknown = error.data
  const message = body && typeof body === 'object' && 'message' in body ? body.message : undefined
  return said(error.status, message)
}

function said(status: number, message: unknown): Failure {
  const own = status < 500 && typeof message === 'string' && message !== recordNotFound
  return own && message ? { status, message } : { status }
}

export function ErrorPage({ error }: { error: unknown }) {
  const navigate = useNavigate()
  // A page opened by its address has none before it.
  const goBack = () => (history.length > 1 ? navigate(-1) : navigate('/'))
  return (
    <ErrorScreen {...failure(error)} onBack={() => void goBack()} home={<Link to="/">Home</Link>} />
  )
}
