import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { LedgeWithGap } from './ledge.tsx'
import { t } from '#web/i18n/shell.ts'

export function ErrorScreen(props: {
  status?: number | undefined
  /** Leave out for the standing sentences. */
  message?: string | undefined
  onBack: () => void
  /** Loads the screen once more, where that may help. */
  retry?: { onPress: () => void; pending: boolean } | undefined
  /** The link home, so that the router's own link can be used. */
  home: ReactNode
}) {
  const { status = 500, message, onBack, retry, home } = props
  const standing = status === 404 ? t('thePageYoureLookingFor') : t('somethingWentWrongPleaseTry2')
  return (
    <div className="mx-auto grid min-h-[60dvh] max-w-prose content-center justify-items-center gap-4 px-6 py-16 text-center">
      {status === 404 ? <LedgeWithGap /> : null}
      <h1 className="font-serif text-4xl text-rubric tabular-nums md:text-[6rem] md:leading-none">
        {status}
      </h1>
      <p className="text-lg">{message ?? standing}</p>
      <div className="flex flex-wrap justify-center gap-3 pt-2">
        <Button onClick={onBack}>{t('goBack')}</Button>
        <Button variant={retry ? 'secondary' : 'primary'} asChild>
          {home}
        </Button>
        {retry ? (
          <Button variant="primary" pending={retry.pending} onClick={retry.onPress}>
            {t('tryAgain')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
