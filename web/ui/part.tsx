import { Component, type ReactNode } from 'react'
import { t } from '#web/i18n/shell.ts'
import { ErrorState } from './error-state.tsx'

interface PartProps {
  /** If the part fails, nothing is shown in its place. */
  isExtra?: boolean
  children: ReactNode
}

/**
 * A part of a screen that fails alone: the rest stays as it is, and the part can be tried again. An
 * answer of the server, such as that there is no such page, is the whole screen's matter.
 */
export class Part extends Component<PartProps, { failure: { error: unknown } | null }> {
  override state: { failure: { error: unknown } | null } = { failure: null }

  static getDerivedStateFromError(error: unknown): { failure: { error: unknown } } {
    return { failure: { error } }
  }

  override render(): ReactNode {
    const { failure } = this.state
    const { isExtra, children } = this.props
    if (!failure) return children
    if (isAnswer(failure.error)) throw failure.error
    if (isExtra) return null
    return (
      <ErrorState
        title={t('dataError')}
        message={t('somethingWentWrongPleaseTry2')}
        onRetry={() => this.setState({ failure: null })}
      />
    )
  }
}

function isAnswer(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error
}
