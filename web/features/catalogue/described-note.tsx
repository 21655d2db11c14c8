import type { ModelBooks, SearchForm, SearchResult } from '#shared/book.ts'
import { Button } from '#web/ui/button.tsx'
import { useSearch } from './use-search.ts'

/** Above the results: how the text was understood, and how to have it otherwise. */
export function DescribedNote(props: {
  form: SearchForm
  first: SearchResult | undefined
  /** What came of asking the model: undefined while it is asked, null when it did not answer. */
  model: ModelBooks | null | undefined
}) {
  const { form, first, model } = props
  const { change } = useSearch()
  if (first?.did_you_mean)
    return (
      <p className="mb-6 text-ink-soft">
        Results for <strong className="text-ink">{first.did_you_mean}</strong>.{' '}
        <Button size="sm" variant="quiet" onClick={() => change({ by: '2' })}>
          Search for exactly “{form.q}”
        </Button>
      </p>
    )
  if (!first?.matches) return null
  return (
    <div className="mb-6 grid gap-1 text-ink-soft">
      <p>
        Taken as a description: books by what they are about, with what fits.{' '}
        <Button size="sm" variant="quiet" onClick={() => change({ mode: 'words' })}>
          Search for the words instead
        </Button>
      </p>
      {first.model ? (
        <output className="block min-h-10 text-sm">
          {modelText(first.model.name, first.model.host, model)}
        </output>
      ) : null}
    </div>
  )
}

function modelText(name: string, host: string, model: ModelBooks | null | undefined): string {
  if (model === undefined) return `The model ${name} at ${host} is asked as well…`
  if (model === null)
    return `The model ${name} did not answer; these are the books found without it.`
  return `The model ${name} at ${host} answered too. Sent to it: “${model.sent}”, and nothing else. Only books of this catalogue are shown.`
}
