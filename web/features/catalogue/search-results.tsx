import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useNavigation } from 'react-router'
import type { BookMatch, SearchForm } from '#shared/book.ts'
import { searchQuery } from '#web/api/search.ts'
import { morePages } from '#web/api/more-pages.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, fieldMessages } from '#web/api/errors.ts'
import { usePagesInSight } from '#web/api/use-pages-in-sight.ts'
import { useSession } from '#web/api/session.ts'
import { uniqueRecords } from '#web/api/unique-records.ts'
import { keyed, OwnedBooks } from '#web/features/library/add-to-shelf/add-to-shelf-owned.tsx'
import { AddBookByHand } from '#web/features/library/add-book/add-book-by-hand.tsx'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { lazy } from '#web/ui/lazy.ts'
import { InfiniteList } from '#web/ui/infinite-list.tsx'
import { coverGridClass } from '#web/ui/page-shell.tsx'
import { CoverCardSkeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { t } from '#web/i18n/catalogue.ts'
import { sentenceSpace } from '#web/i18n/format.ts'
import { AbsentNote, absentText, wrongDigitText } from './absent-note.tsx'
import { BookCard } from './book-card.tsx'
import { DescribedNote } from './described-note.tsx'
import { MatchNote } from './match-note.tsx'
import { ExternalNote, externalText, useExternalResults } from './external-note.tsx'
import { blankFilters, hasFilters, maxPages } from './search-address.ts'
import { useModel, withModel } from './use-model.ts'
import { useSearch } from './use-search.ts'

/** Fetched where a search names a series or an author; the server draws it with the page. */
const NamesFound = lazy(() => import('./names-found.tsx'))

/** The books that answer a search, in each state: loading, failed, empty and full. */
export function SearchResults({ form }: { form: SearchForm }) {
  const source = searchQuery(useApi(), form)
  const query = useInfiniteQuery({ ...source, placeholderData: keepPreviousData })
  const list = usePagesInSight(source.queryKey, query, (page) => page.books.map(({ id }) => id))
  const first = query.isPlaceholderData ? undefined : query.data?.pages[0]
  const model = useModel(form, first)
  const books = uniqueRecords(
    withModel(query.data?.pages.flatMap((page) => page.books) ?? [], model),
  )
  const matches: Record<string, BookMatch> = Object.assign(
    {},
    ...(query.data?.pages ?? []).map((page) => page.matches),
    model?.matches,
  )
  const outside = useExternalResults(form, first)
  const shown = useShownForm(form, query.isPlaceholderData)
  useReachedPage(query.isPlaceholderData ? 0 : (query.data?.pages.length ?? 0))

  if (query.isPending) return <ResultsSkeleton count={18} />
  if (query.isError && books.length === 0)
    return <SearchFailure error={query.error} onRetry={() => void query.refetch()} />
  if (books.length === 0 && outside.isAsking) return <ResultsSkeleton count={6} />
  if (books.length === 0)
    return (
      <>
        <NothingFound form={form} />
        <ExternalNote {...outside} />
      </>
    )

  return (
    <>
      <AbsentNote form={form} first={first} outside={externalText(outside)} />
      <DescribedNote form={form} first={first} model={model} />
      {first?.series || first?.authors ? (
        <Suspense>
          <NamesFound found={first} />
        </Suspense>
      ) : null}
      <InfiniteList
        ref={list}
        {...morePages(query)}
        hasMore={query.hasNextPage && !query.isPlaceholderData}
        status={t('booksShown', { count: books.length })}
        skeleton={<ResultsSkeleton count={6} className="mt-6 md:mt-8" />}
      >
        <OwnedBooks books={keyed(books)}>
          {/* Other results are other cards: none of them moves from one place to another. */}
          <ul
            key={shown}
            className={classNames(
              coverGridClass,
              'transition-opacity',
              query.isPlaceholderData && 'opacity-60',
            )}
          >
            {books.map((book, place) => (
              <li key={book.id} data-place={book.id} className="grid">
                <BookCard
                  book={book}
                  priority={place < 6}
                  footer={
                    first?.matches ? (
                      <MatchNote
                        match={matches[book.id]}
                        byModel={model?.named.includes(book.id) ?? false}
                      />
                    ) : undefined
                  }
                />
              </li>
            ))}
          </ul>
        </OwnedBooks>
      </InfiniteList>
      {query.hasNextPage || first?.absent ? null : <ExternalNote {...outside} />}
    </>
  )
}

/** @returns which search the results are of */
function useShownForm(form: SearchForm, isPlaceholder: boolean): string {
  const asked = JSON.stringify(form)
  const [shown, setShown] = useState(asked)
  if (!isPlaceholder && shown !== asked) setShown(asked)
  return isPlaceholder ? shown : asked
}

/** Keeps the number of pages in the address, for reload and sharing. */
function useReachedPage(pages: number): void {
  const { search, change } = useSearch()
  const page = Math.min(pages, maxPages)
  const isFurther = page > search.page
  // Don't change the address after a navigation has started.
  const isStaying = useNavigation().state === 'idle'
  const keep = useEffectEvent((reached: number) => change({ page: reached }, { replace: true }))
  useEffect(() => {
    if (isFurther && isStaying) keep(page)
  }, [page, isFurther, isStaying])
}

function ResultsSkeleton({ count, className }: { count: number; className?: string }) {
  return (
    <SkeletonGroup
      count={count}
      of={CoverCardSkeleton}
      label={t('lookingForBooks')}
      className={classNames(coverGridClass, className)}
    />
  )
}

function SearchFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const messages = Object.values(fieldMessages(error))
  if (messages.length > 0) return <ErrorState title={t('inputError')} messages={messages} />
  return <ErrorState title={t('dataError')} message={errorMessage(error)} onRetry={onRetry} />
}

function NothingFound({ form }: { form: SearchForm }) {
  const { search, change } = useSearch()
  const { q, filters, by, mode } = search
  const isFiltered = hasFilters(filters)
  const isReader = useSession() !== null
  const widen = isFiltered ? (
    <Button size="sm" onClick={() => change({ filters: blankFilters, advancedOnly: false })}>
      {t('clearAllFilters')}
    </Button>
  ) : by === '2' ? (
    <Button size="sm" onClick={() => change({ by: '1' })}>
      {t('searchForAllWordsInstead')}
    </Button>
  ) : null
  const hint = isFiltered ? t('useFewerFiltersOrCheck') : t('checkTheSpellingUseFewer')
  const byHand =
    isReader && mode !== 'describe' ? (
      <AddBookByHand text={q || filters.title || filters.isbn} />
    ) : null
  return (
    <ErrorState
      tone="empty"
      title={t('noResultsFound')}
      className="wrap-anywhere"
      message={wrongDigitText(form) || [absentText(form), hint].join(sentenceSpace())}
      action={
        (widen ?? byHand) ? (
          <>
            {widen}
            {byHand}
          </>
        ) : undefined
      }
    />
  )
}
