import { CircleAlert, SearchX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { t } from '#web/i18n/shell.ts'

const tones = {
  error: { box: 'border-danger/40 bg-danger-tint', mark: 'text-danger', icon: CircleAlert },
  warning: { box: 'border-paused/40 bg-paused-tint', mark: 'text-paused', icon: TriangleAlert },
  empty: { box: 'border-paused/40 bg-paused-tint', mark: 'text-paused', icon: SearchX },
}

export function ErrorState(props: {
  /** 'Data Error', 'Input Error', 'Login Error', or 'No results found.' */
  title: string
  message?: ReactNode
  /** Several: shown with bullets. */
  messages?: readonly string[] | undefined
  tone?: 'error' | 'warning' | 'empty' | undefined
  onRetry?: (() => void) | undefined
  retrying?: boolean | undefined
  action?: ReactNode
  className?: string | undefined
}) {
  const { title, message, messages, tone = 'error', onRetry, retrying, action, className } = props
  const { box, mark, icon: Icon } = tones[tone]
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={classNames('flex items-start gap-3 rounded-md border p-4 text-sm', box, className)}
    >
      <Icon aria-hidden className={classNames('mt-px size-5 shrink-0', mark)} />
      <div className="grid flex-1 gap-1">
        <p className={classNames('font-semibold', mark)}>{title}</p>
        {message ? <p>{message}</p> : null}
        {messages && messages.length > 0 ? (
          <ul className="list-disc ps-5">
            {messages.map((entry) => (
              <li key={entry}>{entry}</li>
            ))}
          </ul>
        ) : null}
        {(onRetry ?? action) ? (
          <div className="flex flex-wrap gap-2 pt-2">
            {onRetry ? (
              <Button size="sm" pending={retrying} onClick={onRetry}>
                {t('tryAgain')}
              </Button>
            ) : null}
            {action}
          </div>
        ) : null}
      </div>
    </div>
  )
}
