import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { keepWhileComposing } from './is-composing.ts'
import { useCountedDialog } from './open-dialogs.ts'
import { Part } from './part.tsx'
import { t } from '#web/i18n/shell.ts'

export type DialogSize = 'sm' | 'md' | 'lg'

const widths: Record<DialogSize, string> = {
  sm: 'md:max-w-md',
  md: 'md:max-w-xl',
  lg: 'md:max-w-3xl',
}

/** A sheet from the bottom edge on phones, a centred box on wide screens. */
export function surfaceClass(size: DialogSize): string {
  return classNames(
    'fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t-md border border-line bg-raised text-ink shadow-lift outline-none',
    'data-[state=closed]:animate-sink data-[state=open]:animate-rise',
    'md:inset-0 md:m-auto md:h-fit md:w-[calc(100%-4rem)] md:rounded-md',
    'md:data-[state=closed]:animate-fade-out md:data-[state=open]:animate-settle',
    widths[size],
  )
}

export const scrimClass = 'fixed inset-0 z-50 bg-scrim fade-in-out'

export const footerClass =
  'flex flex-col-reverse gap-2 border-t border-line px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))] md:flex-row md:justify-end md:px-6'

export type DialogProps = {
  title: ReactNode
  /** Read out with the title; give one whenever the title alone does not say what happens. */
  description?: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Buttons; the last one is the main one (first on a phone). */
  footer?: ReactNode
  size?: DialogSize | undefined
  /** Gets the focus when it opens, in place of its first button. */
  firstFocus?: RefObject<HTMLElement | null>
  children?: ReactNode
}

export function Dialog(props: DialogProps) {
  const {
    title,
    description,
    open,
    onOpenChange,
    footer,
    size = 'md',
    firstFocus,
    children,
  } = props
  const returnFocus = useReturnFocus(open)
  useCountedDialog(open)
  const typed = useRef(false)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={scrimClass} />
        <Radix.Content
          className={surfaceClass(size)}
          onCloseAutoFocus={returnFocus}
          onEscapeKeyDown={keepWhileComposing}
          onOpenAutoFocus={(event) => {
            typed.current = false
            if (!firstFocus?.current) return
            event.preventDefault()
            firstFocus.current.focus()
          }}
          onInput={({ target }) => (typed.current ||= isText(target))}
          // Ignore clicks outside once something is typed.
          onInteractOutside={(event) => (typed.current ? event.preventDefault() : undefined)}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <header className="flex items-start gap-4 px-5 pt-4 pb-3 md:px-6 md:pt-5">
            <div className="grid flex-1 gap-1 pt-1.5">
              <Radix.Title className="text-xl">{title}</Radix.Title>
              {description ? (
                <Radix.Description className="text-sm text-ink-soft">
                  {description}
                </Radix.Description>
              ) : null}
            </div>
            <Radix.Close asChild>
              <IconButton label={t('close')} className="-me-2">
                <X aria-hidden />
              </IconButton>
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-auto overflow-y-auto overscroll-contain px-5 pt-1 pb-5 md:px-6">
            <Part>{children}</Part>
          </div>
          {footer ? <footer className={footerClass}>{footer}</footer> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const isText = (field: EventTarget) =>
  field instanceof HTMLTextAreaElement ||
  (field instanceof HTMLInputElement && !/^(?:radio|checkbox|range|file)$/.test(field.type))

/** Without a trigger, focus returns to the element that had it before the dialog opened. */
export function useReturnFocus(open: boolean): (event: Event) => void {
  const before = useRef<Element>(null)
  // Before the effects of what is inside, which may take the focus.
  useLayoutEffect(() => {
    if (open) before.current = document.activeElement
  }, [open])
  return (event) => {
    event.preventDefault()
    // If that element is gone, focus moves to the page.
    const back = before.current?.isConnected ? before.current : document.querySelector('main')
    if (back instanceof HTMLElement) back.focus({ preventScroll: back !== before.current })
  }
}

/** Wraps a button in the footer that only closes. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <Radix.Close asChild>{children}</Radix.Close>
}
