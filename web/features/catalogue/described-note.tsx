import type { ModelBooks, SearchForm, SearchResult } from '#shared/book.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { rich, t } from '#web/i18n/catalogue.ts'
import { useSearch } from './use-search.ts'

/** The words of a button on a line of its own begin where the other words begin. */
const buttonEdge = '-mx-3 max-w-[calc(100%+1.5rem)] text-start wrap-anywhere whitespace-normal!'
const lineClass = (more = '') =>
  classNames('flex flex-wrap items-center gap-x-6 gap-y-1 text-ink-soft', more)

/** Above the results: how the text was understood, and how to have it otherwise. */
export function DescribedNote(props: {
  form: SearchForm
  first: SearchResult | undefined
  /** The model's answer: undefined while it is pending, null if there was none. */
  model: ModelBooks | null | undefined
}) {
  const { form, first, model } = props
  const { change } = useSearch()
  if (first?.did_you_mean)
    return (
      <p className={lineClass('mb-6')}>
        <span>
          {rich('resultsFor', {
            text: <strong className="text-ink">{first.did_you_mean}</strong>,
          })}
        </span>
        <Button
          size="sm"
          variant="quiet"
          className={buttonEdge}
          onClick={() => change({ by: '2' })}
        >
          {t('searchForExactly', { text: form.q })}
        </Button>
      </p>
    )
  if (!first?.matches) return null
  const byModel = first.model ? (
    <output className="block min-h-10 text-sm">
      {modelText(first.model.name, first.model.host, model)}
    </output>
  ) : null
  // The note above about the missing title already says that these books match a description.
  if (first.absent) return byModel ? <div className="mb-6 text-ink-soft">{byModel}</div> : null
  return (
    <div className="mb-6 grid gap-1 text-ink-soft">
      <p className={lineClass()}>
        <span>{t('showingBooksThatMatchYour')}</span>
        <Button
          size="sm"
          variant="quiet"
          className={buttonEdge}
          onClick={() => change({ mode: 'words' })}
        >
          {t('searchForTheseWordsInstead')}
        </Button>
      </p>
      {byModel}
    </div>
  )
}

function modelText(name: string, host: string, model: ModelBooks | null | undefined): string {
  if (model === undefined) return t('modelAsking', { name, host })
  if (model === null) return t('modelSilent', { name })
  return t('modelAnswered', { name, host, text: model.sent })
}
