import type { ReactNode } from 'react'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'

/** The end of a form: Cancel, and what sends it. */
export function FormButtons(props: {
  submit: string
  pending: boolean
  onClose: () => void
  /** Stands before them. */
  children?: ReactNode
}) {
  const { submit, pending, onClose, children } = props
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {children}
      <Button variant="quiet" onClick={onClose}>
        {t('cancel')}
      </Button>
      <Button type="submit" variant="primary" pending={pending}>
        {submit}
      </Button>
    </div>
  )
}
