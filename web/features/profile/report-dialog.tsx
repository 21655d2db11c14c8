import { useId } from 'react'
import { useForm } from 'react-hook-form'
import type * as z from 'zod'
import {
  maxReportDetails,
  reportForm,
  reportReasons,
  type ReportForm,
  type ReportReason,
} from '#shared/report.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage, fieldMessages } from '#web/api/errors.ts'
import { reportProfile } from '#web/api/directory.ts'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formResolver } from '#web/ui/form-resolver.ts'
import type { DialogState } from '#web/ui/lazy-dialog.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextAreaField } from '#web/ui/text-area.tsx'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/directory.ts'
import { SubmitFooter } from '#web/ui/submit-footer.tsx'

const reasonOptions = () => {
  const reasons = Object.keys(reportReasons) as ReportReason[]
  return reasons.map((value) => ({ value, label: t(`report.${value}`) }))
}

/** Asks what is wrong with a profile, and tells the operator. */
export function ReportDialog(props: DialogState & { username: string }) {
  const { username, open, onOpenChange } = props
  const api = useApi()
  const formId = useId()
  const form = useForm<z.input<typeof reportForm>, unknown, ReportForm>({
    resolver: formResolver(reportForm),
    defaultValues: { reason: '' as ReportReason, details: '' },
  })
  const { errors, isSubmitting } = form.formState

  async function submit(fields: ReportForm): Promise<void> {
    try {
      await reportProfile(api, username, fields)
      onOpenChange(false)
      toast.success(t('thankYouWeveSentYour'))
    } catch (error) {
      const { reason, details } = fieldMessages(error)
      if (reason) form.setError('reason', { message: reason }, { shouldFocus: true })
      if (details) form.setError('details', { message: details }, { shouldFocus: true })
      if (!reason && !details) form.setError('root', { message: errorMessage(error) })
    }
  }

  return (
    <Dialog
      size="sm"
      title={t('reportProfile')}
      description={t('reportDescription', { username })}
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <SubmitFooter formId={formId} pending={isSubmitting}>
          {t('sendReport')}
        </SubmitFooter>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
      >
        {errors.root?.message ? (
          <ErrorState title={t('inputError')} message={errors.root.message} />
        ) : null}
        <SelectField
          label={t('reason')}
          placeholder={t('chooseAReason')}
          options={reasonOptions()}
          error={errors.reason?.message}
          {...form.register('reason')}
        />
        <TextAreaField
          label={t('details')}
          hint={t('reportDetailsHint', { max: maxReportDetails })}
          error={errors.details?.message}
          {...form.register('details')}
        />
      </form>
    </Dialog>
  )
}
