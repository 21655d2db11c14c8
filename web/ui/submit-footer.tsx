import type { ReactNode } from 'react'
import { t } from '#web/i18n/shell.ts'
import { Button } from './button.tsx'
import { DialogClose } from './dialog-sheet.tsx'

/** The buttons of a dialog with a form: one that closes it, one that sends the form. */
export function SubmitFooter(props: { formId: string; pending?: boolean; children: ReactNode }) {
  const { formId, pending, children } = props
  return (
    <>
      <DialogClose>
        <Button variant="quiet">{t('cancel')}</Button>
      </DialogClose>
      <Button type="submit" form={formId} variant="primary" pending={pending}>
        {children}
      </Button>
    </>
  )
}
