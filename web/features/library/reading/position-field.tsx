import { useId, useRef, useState, type ReactNode } from 'react'
import { numberOf } from '#shared/digits.ts'
import { percentRead } from '#shared/reading-position.ts'
import type { UserBook } from '#shared/user-book.ts'
import { t } from '#web/i18n/books.ts'
import { formatNumber } from '#web/i18n/format.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { controlClass } from '#web/ui/control-class.ts'
import { isComposing } from '#web/ui/is-composing.ts'
import { usePagePath } from '#web/ui/page-path.ts'
import { PercentSlider } from '#web/ui/percent-slider.tsx'
import { useTypedEarly } from '#web/ui/typed-early.ts'
import { useBookRefusal } from './use-book-refusal.ts'
import {
  countsPercent,
  nextNumber,
  positionAt,
  positionAtPercent,
  positionNumber,
  usePositionSave,
} from './use-position.ts'

/** The reader's position: a number field, a step button and a slider, each saved at once. */
export function PositionField(props: {
  book: UserBook
  /** Shown beside the slider. */
  end?: ReactNode
  /** After the number and its step. */
  children?: ReactNode
  /** Class of the number field and its step button. */
  className?: string
  /** Class of the slider and what is beside it. */
  barClassName?: string
}) {
  const { book, end, children, className, barClassName = 'col-span-full mt-2' } = props
  const refused = useBookRefusal(book)
  const { save, error, clearError } = usePositionSave(book, refused?.wrong?.['position'])
  const action = usePagePath()
  const errorId = useId()
  /** The text that is typed and not yet saved. */
  const [draft, setDraft] = useState(refused?.typed?.['position'])
  const [dragged, setDragged] = useState<number>()
  const inPercent = countsPercent(book)
  const step = nextNumber(book)
  const hasEnd = inPercent || book.page_count > 0
  const percent = dragged ?? percentRead(book)
  const number =
    dragged === undefined
      ? positionNumber(book)
      : Object.values(positionAtPercent(book, dragged)).find((value) => value !== undefined)

  const shown = draft ?? String(number)
  const field = useRef<HTMLInputElement>(null)
  useTypedEarly(field, 'value', shown, setDraft)

  async function saveDraft(): Promise<void> {
    if (draft === undefined) return
    const isSaved = await save(positionAt(book, numberOf(draft)))
    // Keep a refused value, and text typed while saving.
    if (isSaved) setDraft((now) => (now === draft ? undefined : now))
  }

  return (
    <>
      <div className={classNames('flex flex-wrap items-center gap-x-1 gap-y-1.5', className)}>
        <form
          method="post"
          action={action}
          noValidate
          className="contents"
          onSubmit={(event) => {
            event.preventDefault()
            void saveDraft()
          }}
        >
          <input type="hidden" name="book" value={book.id} />
          <input
            ref={field}
            name="position"
            aria-label={t(inPercent ? 'percentInput' : 'pageInput', { title: book.title })}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? errorId : undefined}
            inputMode="numeric"
            enterKeyHint="done"
            autoComplete="off"
            value={shown}
            // The next number takes the place of this one.
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => {
              clearError()
              setDraft(event.currentTarget.value)
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || isComposing(event)) return
              clearError()
              setDraft(undefined)
            }}
            onBlur={() => void saveDraft()}
            className={classNames(
              controlClass,
              'max-w-full shrink-0 px-1! text-center text-lg! tabular-nums',
              shown.length > 4 ? 'w-[4.25em]!' : 'w-[2.875em]!',
            )}
          />
          <span className="min-w-0 text-sm whitespace-nowrap text-ink-soft tabular-nums">
            {inPercent ? '%' : book.page_count > 0 ? t('ofPages', { pages: book.page_count }) : ''}
          </span>
          <noscript>
            <Button type="submit" size="sm">
              {t('save')}
            </Button>
          </noscript>
          {step ? (
            <Button
              aria-label={t(inPercent ? 'percentOn' : 'pagesOn', {
                by: step.by,
                title: book.title,
              })}
              className="script-only ms-auto min-h-11 min-w-11 px-1! tabular-nums"
              onClick={() => {
                setDraft(undefined)
                void save(positionAt(book, step.number))
              }}
            >
              {formatNumber(step.by, { signDisplay: 'always' })}
            </Button>
          ) : null}
        </form>
        {children}
      </div>
      <p
        id={errorId}
        aria-live="polite"
        className="col-span-full text-sm font-medium text-danger empty:hidden"
      >
        {error}
      </p>
      <div className={classNames('flex items-center gap-4', barClassName)}>
        {hasEnd ? (
          <PercentSlider
            label={t('progressOf', { title: book.title })}
            value={percent}
            onChange={(next) => {
              setDraft(undefined)
              setDragged(next)
            }}
            onCommit={(next) =>
              void save(positionAtPercent(book, next)).finally(() => setDragged(undefined))
            }
            className="script-only flex-1"
          />
        ) : (
          <span className="flex-1" />
        )}
        {end}
      </div>
    </>
  )
}
