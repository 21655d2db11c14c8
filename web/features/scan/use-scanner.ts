import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { parseBarcode } from '#shared/barcode.ts'
import { toIsbn13 } from '#shared/isbn.ts'
import { useApi } from '#web/api/context.ts'
import { isNetworkError } from '#web/api/errors.ts'
import { shelfNamesQuery } from '#web/api/library.ts'
import { useSession } from '#web/api/session.ts'
import { hasOutbox } from '#web/api/outbox-changes.ts'
import { t } from '#web/i18n/scan.ts'
import { usePile } from './use-pile.ts'
import { ruleMessage } from '#web/i18n/rules.ts'

export type ScanMode = 'one' | 'pile'

/** The scanner's state: the book it found or the pile, and the last error. */
export function useScanner({ shelf: first, mode: firstMode }: { shelf: string; mode: ScanMode }) {
  const [mode, setMode] = useState(firstMode)
  const [found, setFound] = useState('')
  const [shelf, setShelf] = useState(first)
  const [notice, setNotice] = useState('')
  const pile = usePile()
  const isOne = mode === 'one'
  const shelves = useQuery(shelfNamesQuery(useApi(), useSession()?.user.id ?? ''))
  /** Whether there is no connection, and what is scanned is kept for later. */
  const isKept = isNetworkError(shelves.failureReason) && !shelves.data && hasOutbox()

  /** @returns why it cannot be taken */
  function take(isbn: string): string | undefined {
    setNotice('')
    const isbn13 = toIsbn13(isbn) ?? isbn
    if (isOne) setFound(isbn13)
    else if (!shelf && !isKept) return t('chooseAShelfFirst')
    else if (pile.scan(isbn13, shelf)) setNotice(t('alreadyInList'))
    return undefined
  }
  function read(text: string): void {
    const reading = parseBarcode(text)
    if ('problem' in reading) setNotice(ruleMessage({ key: reading.problem }))
    else {
      take(reading.isbn)
      // Felt, where a phone can: the eyes are on the next book.
      navigator.vibrate?.(60)
    }
  }
  const again = () => setFound('')

  return { mode, setMode, isOne, isKept, found, again, shelf, setShelf, notice, pile, take, read }
}
