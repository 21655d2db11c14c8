import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { westernDigits } from '#shared/digits.ts'
import { hasWrongDigit, parseIsbn } from '#shared/isbn.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ruleMessage } from '#web/i18n/rules.ts'
import { t } from '#web/i18n/scan.ts'

/**
 * The typed way to a book. A barcode scanner at the USB port types too, and ends with Enter: wherever
 * the focus is, its digits are led here.
 */
export function IsbnEntry(props: {
  /** False while something else lies over it and wants the keys. */
  listens: boolean
  /** Why the book cannot be taken now, shown at the field. */
  onIsbn: (isbn: string) => string | undefined
}) {
  const { listens, onIsbn } = props
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  useDigits(field, listens)

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const isbn = parseIsbn(text)
    const problem = isbn === null ? reason(text) : onIsbn(isbn)
    setError(problem)
    // Keep a wrong number; the next scan replaces it.
    if (problem) field.current?.select()
    else setText('')
  }

  return (
    <form noValidate onSubmit={submit} className="flex items-start gap-2">
      <TextField
        ref={field}
        label={t('isbn')}
        hint={t('typeItOrUseA')}
        inputMode="text"
        autoComplete="off"
        spellCheck={false}
        error={error}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setError(undefined)
        }}
        className="flex-1"
      />
      <Button type="submit" needsScript className="mt-[1.625rem] min-h-11">
        {t('lookUp')}
      </Button>
    </form>
  )
}

const reason = (text: string) =>
  hasWrongDigit(text) ? t('oneDigitIsWrong') : ruleMessage({ key: 'isbn' })

function useDigits(field: React.RefObject<HTMLInputElement | null>, listens: boolean): void {
  useEffect(() => {
    if (!listens) return
    function lead(event: KeyboardEvent): void {
      if (!/^\d$/.test(westernDigits(event.key)) || event.ctrlKey || event.metaKey || event.altKey)
        return
      const { target } = event
      const isTyping =
        target instanceof HTMLTextAreaElement ||
        (target instanceof HTMLInputElement &&
          !['radio', 'checkbox', 'range'].includes(target.type))
      if (isTyping) return
      // The pressed key then replaces the field's text.
      field.current?.focus()
      field.current?.select()
    }
    // Capture, so that the focused control does not handle the key first.
    document.addEventListener('keydown', lead, true)
    return () => document.removeEventListener('keydown', lead, true)
  }, [field, listens])
}
