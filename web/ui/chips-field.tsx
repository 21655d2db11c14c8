import { useRef, useState, type KeyboardEvent } from 'react'
import { Chip } from './chip.tsx'
import { classNames } from './class-names.ts'
import { controlClass } from './control-class.ts'
import { Field, type FieldText } from './field.tsx'
import { isComposing } from './is-composing.ts'
import { t } from '#web/i18n/shell.ts'

type ChipsFieldProps = FieldText & {
  value: readonly string[]
  onChange: (value: string[]) => void
  /** Makes entries of a text that was typed or pasted. */
  split: (text: string) => string[]
  /** Puts entries to those that are there; by default at their end. */
  join?: (value: readonly string[], more: readonly string[]) => string[]
  onBlur?: (() => void) | undefined
}

const append = (value: readonly string[], more: readonly string[]) => [
  ...new Set([...value, ...more]),
]

const separators = /[,，、،;；؛\n]/
const endsEntry = new RegExp(`${separators.source}$`)

/**
 * Several short texts: Enter or a comma ends one, a pasted list becomes many, Backspace in the empty
 * field takes the last one back to be changed.
 */
export function ChipsField(props: ChipsFieldProps) {
  const { value, onChange, split, join = append, onBlur, ...text } = props
  const [draft, setDraft] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const put = (pieces: string) => {
    onChange(join(value, split(pieces)))
    setDraft('')
  }
  const type = (typed: string) => {
    if (endsEntry.test(typed)) put(typed)
    else setDraft(typed)
  }
  const remove = (place: number) => {
    onChange(value.filter((_, at) => at !== place))
    // The button disappears with its chip, so move focus to the field.
    input.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    // Enter ends a word of Japanese or Chinese before it ends an entry.
    if (isComposing(event)) return
    if (event.key === 'Enter' && draft.trim()) {
      event.preventDefault()
      put(draft)
    } else if (event.key === 'Backspace' && draft === '' && value.length > 0) {
      event.preventDefault()
      setDraft(value.at(-1) ?? '')
      onChange(value.slice(0, -1))
    }
  }

  return (
    <Field {...text}>
      {(control) => (
        <span
          className={classNames(
            controlClass,
            'flex flex-wrap items-center gap-1.5 p-1.5 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-rubric',
            text.error && 'border-danger',
          )}
        >
          {value.map((entry, place) => (
            <Chip
              key={entry}
              className="bg-raised"
              onRemove={() => remove(place)}
              removeLabel={t('removeNamed', { name: entry })}
            >
              <bdi>{entry}</bdi>
            </Chip>
          ))}
          <input
            {...control}
            ref={input}
            dir="auto"
            autoComplete="off"
            value={draft}
            onKeyDown={onKeyDown}
            onChange={({ currentTarget: { value: typed }, nativeEvent }) => {
              // A word that is still being composed goes on after its comma.
              if ((nativeEvent as InputEvent).isComposing) setDraft(typed)
              else type(typed)
            }}
            onCompositionEnd={({ currentTarget }) => type(currentTarget.value)}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text')
              if (!separators.test(pasted)) return
              event.preventDefault()
              put(draft + pasted)
            }}
            onBlur={() => {
              if (draft.trim()) put(draft)
              onBlur?.()
            }}
            className="min-h-8 min-w-24 flex-1 bg-transparent px-1.5 text-base outline-none"
          />
        </span>
      )}
    </Field>
  )
}
