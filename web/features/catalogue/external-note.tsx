import { useQuery } from '@tanstack/react-query'
import {
  externalSources,
  searchPageSize,
  sourceNames,
  type ExternalSource,
  type SearchForm,
  type SearchResult,
} from '#shared/book.ts'
import { externalQuery } from '#web/api/book-info.ts'
import { useApi } from '#web/api/context.ts'
import { t } from '#web/i18n/catalogue.ts'
import { formatList } from '#web/i18n/format.ts'

interface Outside {
  /** Other catalogues are being asked, and may still bring something. */
  isAsking: boolean
  asked: ExternalSource[]
  silent: ExternalSource[]
}

/** Asks other catalogues once what is known here is on the screen and leaves room for more. */
export function useExternalResults(form: SearchForm, first: SearchResult | undefined): Outside {
  const states = first?.sources ?? {}
  const hasRoom =
    first !== undefined && (first.books.length < searchPageSize || first.absent === true)
  const asked = externalSources.filter((name) => states[name])
  const enabled = hasRoom && asked.some((name) => states[name] === 'unasked')
  const query = useQuery({ ...externalQuery(useApi(), form), enabled })
  const isAsking = enabled && query.isFetching
  return {
    isAsking,
    asked: hasRoom ? asked : [],
    silent: isAsking ? [] : asked.filter((name) => states[name] === 'silent' || query.isError),
  }
}

/** Below the results: where was looked, and who did not answer. */
export function ExternalNote(outside: Outside) {
  return (
    <output className="mt-6 block min-h-6 text-center text-sm text-ink-soft">
      {externalText(outside)}
    </output>
  )
}

/** @returns where was looked, in words; '' when nowhere */
export function externalText({ isAsking, asked, silent }: Outside): string {
  const names = (sources: ExternalSource[]) => formatList(sources.map((name) => sourceNames[name]))
  if (isAsking) return t('outsideAsking', { sources: names(asked) })
  if (silent.length > 0) return t('outsideSilent', { sources: names(silent) })
  return asked.length > 0 ? t('outsideAsked', { sources: names(asked) }) : ''
}
