import { useState } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { wantToReadShelf } from '#web/features/library/add-to-shelf/add-to-shelf-first.ts'
import { ShelfSelect } from '#web/features/library/add-to-shelf/add-to-shelf-select.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogClose } from '#web/ui/dialog-sheet.tsx'
import { useLazyDialog, type DialogState } from '#web/ui/lazy-dialog.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { t } from '#web/i18n/scan.ts'
import { CameraView } from './camera-view.tsx'
import { FoundBook } from './found-book.tsx'
import { IsbnEntry } from './isbn-entry.tsx'
import { PileList, PileStatus } from './pile-list.tsx'
import { useScanner, type ScanMode } from './use-scanner.ts'

const modes = () =>
  [
    { value: 'one', label: t('oneBook') },
    { value: 'pile', label: t('aPile') },
  ] as const

const loadForm = async () =>
  (await import('#web/features/library/add-book/add-book-dialog.tsx')).AddBookDialog

/** Adds books by their barcodes, or by ISBNs typed or sent by a barcode scanner. */
export default function ScanDialog({
  shelf: first = '',
  mode: firstMode = 'one',
  ...state
}: DialogState & { shelf?: string; mode?: ScanMode }) {
  const scanner = useScanner({ shelf: first, mode: firstMode })
  const { mode, isOne, isKept, found, shelf, notice, pile } = scanner
  const [byHand, setByHand] = useState<string>()
  const form = useLazyDialog(loadForm)

  function enterByHand(isbn: string): void {
    setByHand(isbn)
    form.button.onClick()
  }

  function addedByHand(record: UserBook): void {
    if (isOne) state.onOpenChange(false)
    else if (byHand !== undefined) pile.settle(byHand, record)
  }

  return (
    <Dialog
      {...state}
      size={isOne ? 'md' : 'lg'}
      title={t('addBookByScanningIsbn')}
      description={t('holdTheBarcodeThatStarts')}
      footer={
        <>
          {isOne && found ? <Button onClick={scanner.again}>{t('scanAgain')}</Button> : null}
          <DialogClose>
            <Button>{t('close')}</Button>
          </DialogClose>
        </>
      }
    >
      <div className="grid content-start gap-4">
        <SegmentedControl
          label={t('howMany')}
          value={mode}
          onValueChange={scanner.setMode}
          options={modes()}
        />
        <div className={isOne ? 'grid gap-4' : 'grid gap-x-6 gap-y-4 md:grid-cols-2'}>
          <div className="grid min-w-0 content-start gap-4">
            {isOne ? null : isKept && !shelf ? (
              <p className="text-sm text-ink-soft">
                {t('keptForShelf', { shelf: wantToReadShelf() })}
              </p>
            ) : (
              <ShelfSelect
                label={t('shelfForAll')}
                value={shelf}
                onValueChange={scanner.setShelf}
              />
            )}
            {/* Out of sight it stays on: some phones ask anew for every start. */}
            <div hidden={isOne && found !== ''}>
              <CameraView
                low={!isOne}
                paused={byHand !== undefined || (isOne ? found !== '' : shelf === '' && !isKept)}
                pausedText={isOne ? undefined : t('chooseAShelfThenScan')}
                onText={scanner.read}
              />
            </div>
            <output className="block text-sm font-medium text-danger empty:hidden">{notice}</output>
            {isOne ? null : <PileStatus pile={pile} hidden={notice !== ''} />}
            <IsbnEntry listens={byHand === undefined} onIsbn={scanner.take} />
          </div>
          {isOne ? null : <PileList pile={pile} onByHand={enterByHand} />}
          {isOne && found ? (
            <FoundBook
              key={found}
              isbn={found}
              onAdded={() => state.onOpenChange(false)}
              onByHand={enterByHand}
            />
          ) : null}
        </div>
      </div>
      {form.Dialog && byHand !== undefined ? (
        <form.Dialog
          key={form.round}
          open={form.state.open}
          onOpenChange={(open) => {
            form.state.onOpenChange(open)
            if (!open) setByHand(undefined)
          }}
          start={{ isbn: byHand, status: 'planning' }}
          shelf={isOne ? '' : shelf}
          onAdded={addedByHand}
        />
      ) : null}
    </Dialog>
  )
}
