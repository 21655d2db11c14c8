import { useId } from 'react'
import { useForm } from 'react-hook-form'
import type * as z from 'zod'
import { ownStore } from '#shared/offer-form.ts'
import { offerFormats, type OwnStore } from '#shared/offer.ts'
import { errorMessage } from '#web/api/errors.ts'
import { useSettingsSave } from '#web/api/account.ts'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { formResolver } from '#web/ui/form-resolver.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { t } from '#web/i18n/account.ts'
import { offerFormat } from '#web/i18n/offers.ts'
import type { StoreDialogProps } from './stores-row.tsx'
import { SubmitFooter } from '#web/ui/submit-footer.tsx'

/** Adds a store of the reader's own. */
export function StoreDialog({ settings, open, onOpenChange }: StoreDialogProps) {
  const formId = useId()
  const save = useSettingsSave(settings)
  const form = useForm<z.input<typeof ownStore>, unknown, OwnStore>({
    resolver: formResolver(ownStore),
    defaultValues: { name: '', format: 'physical', template: 'https://' },
  })
  const { errors } = form.formState

  function add(store: OwnStore): void {
    save.mutate(
      { stores: [...(settings.stores ?? []), store] },
      {
        onSuccess: () => {
          onOpenChange(false)
          toast.success(t('updated'))
        },
        onError: (error) => form.setError('template', { message: errorMessage(error) }),
      },
    )
  }

  return (
    <Dialog
      title={t('addAStore')}
      description={t('addAStoreHint')}
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <SubmitFooter formId={formId} pending={save.isPending}>
          {t('add')}
        </SubmitFooter>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => void form.handleSubmit(add)(event)}
      >
        <TextField
          label={t('name')}
          autoComplete="off"
          error={errors.name?.message}
          {...form.register('name')}
        />
        <SelectField
          label={t('format')}
          options={offerFormats.map((value) => ({
            value,
            label: offerFormat(value),
          }))}
          {...form.register('format')}
        />
        <TextField
          label={t('address')}
          autoComplete="off"
          inputMode="url"
          hint={t('storeAddressHint')}
          error={errors.template?.message}
          {...form.register('template')}
        />
      </form>
    </Dialog>
  )
}
