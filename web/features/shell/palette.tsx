import { Command } from 'cmdk'
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useLayoutEffect, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { scrimClass, useReturnFocus } from '#web/ui/dialog-sheet.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { keepWhileComposing } from '#web/ui/is-composing.ts'
import { isPaletteKey } from '#web/ui/latin-key.ts'
import type { DialogState } from '#web/ui/lazy-dialog.ts'
import { t } from '#web/i18n/palette.ts'
import { PaletteCommands } from './palette-commands.tsx'
import {
  PaletteBooks,
  PaletteCatalogue,
  PaletteNames,
  PaletteReaders,
  PaletteRemembered,
} from './palette-found.tsx'
import { useHighlight } from './palette-highlight.ts'
import { PaletteActions, PalettePages } from './palette-pages.tsx'
import { paletteClass } from './shortcut.ts'
import type { PaletteDialog } from './shortcut-dialogs.tsx'

/** The dialogs it opens. */
interface Leads {
  /** Typed before the palette was there. */
  first: string
  onShow: (what: PaletteDialog) => void
  /** Opens a book of the reader's own. */
  onEdit: (id: string) => Promise<void>
}

/** Finds anything: books of one's own, readers, pages, and what can be done. */
export default function Palette({ open, onOpenChange, ...leads }: DialogState & Leads) {
  const returnFocus = useReturnFocus(open)
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrimClass} />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          onEscapeKeyDown={keepWhileComposing}
          className={`${paletteClass} fade-in-out`}
        >
          <Dialog.Title className="sr-only">{t('findAnything')}</Dialog.Title>
          <Search onClose={() => onOpenChange(false)} {...leads} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Search({ first, onClose, onShow, onEdit }: Leads & { onClose: () => void }) {
  const [text, setText] = useState(first)
  const navigate = useNavigate()
  const go = (path: string) => {
    onClose()
    void navigate(path)
  }
  const q = text.trim()
  const { field, list, restart, onArrow, onPointerMove } = useHighlight()
  // Before the dialog does it, which would select what was typed early.
  useLayoutEffect(() => field.current?.focus(), [field])
  // The key that opened it closes it.
  const onKey = (event: KeyboardEvent) => {
    onArrow(event)
    if (!isPaletteKey(event.nativeEvent)) return
    event.preventDefault()
    onClose()
  }
  return (
    <Command
      label={t('findAnything')}
      shouldFilter={false}
      loop
      // Ctrl-K closes, so it cannot go up as well.
      vimBindings={false}
      onKeyDown={onKey}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="flex items-center gap-2 border-b border-line py-1 ps-4 pe-2">
        <Command.Input
          ref={field}
          value={text}
          onValueChange={(next) => {
            restart()
            setText(next)
          }}
          maxLength={255}
          placeholder={t('yourBooksReadersPages')}
          className="min-h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-ink-faint"
        />
        <Dialog.Close asChild>
          <IconButton label={t('close')}>
            <X aria-hidden />
          </IconButton>
        </Dialog.Close>
      </div>
      <Command.List
        ref={list}
        onPointerMoveCapture={onPointerMove}
        label={t('found')}
        className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain p-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]"
      >
        <Command.Empty className="px-3 py-6 text-center text-ink-soft">
          {t('nothingFound')}
        </Command.Empty>
        <PaletteCommands text={q} onClose={onClose} />
        <PaletteBooks text={q} onEdit={onEdit} />
        <PalettePages text={q} onGo={go} />
        <PaletteActions text={q} onGo={go} onShow={onShow} onClose={onClose} />
        <PaletteReaders text={q} onGo={go} />
        <PaletteNames text={q} onGo={go} />
        <PaletteCatalogue text={q} onGo={go} />
        <PaletteRemembered text={q} onEdit={onEdit} />
      </Command.List>
    </Command>
  )
}
