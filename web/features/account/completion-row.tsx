import { useQuery } from '@tanstack/react-query'
import type { Settings } from '#shared/account.ts'
import { sourceNames } from '#shared/book.ts'
import { completionQuery, useCompleteBooks } from '#web/api/completion.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { t } from '#web/i18n/account.ts'
import { formatList, sentenceSpace } from '#web/i18n/format.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { SettingsChoice } from './settings-choice.tsx'
import { SettingsRow } from './settings-section.tsx'
import { useSettingsChange } from './use-settings-change.ts'

/** The look-up of what the reader's books lack: whether it is wanted, and how far it is. */
export function CompletionRow({ settings }: { settings: Settings }) {
  const { data } = useQuery(completionQuery(useApi()))
  const change = useSettingsChange(settings)
  const complete = useCompleteBooks()
  const isWanted = settings.complete_books !== 'off'
  const { isOn = true, sources = [], waiting = 0 } = data ?? {}
  if (!isOn) return <SettingsRow title={t('completion')} hint={t('completionOff')} />
  return (
    <SettingsChoice
      name="complete_books"
      title={t('completion')}
      hint={
        <>
          {t('completionHint')}
          {sentenceSpace()}
          {sources.length
            ? t('completedFrom', { sources: formatList(sources.map((name) => sourceNames[name])) })
            : t('completedHereOnly')}
        </>
      }
      label={t('missingFacts')}
      value={isWanted ? 'on' : 'off'}
      options={[
        { value: 'on', label: t('lookThemUp') },
        { value: 'off', label: t('leaveThemEmpty') },
      ]}
      onChoose={(value) => change({ complete_books: value })}
    >
      {isWanted ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <output className="text-sm text-ink-soft">
            {waiting > 0 ? t('booksWaiting', { count: waiting }) : null}
          </output>
          <Button
            size="sm"
            disabled={complete.isPending}
            onClick={() =>
              void complete
                .mutateAsync()
                .catch((error: unknown) => toast.error(errorMessage(error)))
            }
          >
            {t('completeMyBooks')}
          </Button>
        </div>
      ) : null}
    </SettingsChoice>
  )
}
