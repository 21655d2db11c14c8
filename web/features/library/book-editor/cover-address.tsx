import { useWatch } from 'react-hook-form'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { isComposing } from '#web/ui/is-composing.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { withAddress, type BookForm } from './book-form.ts'

/** Takes the address of a picture. What stands here when the book is saved counts as well. */
export function CoverAddress({ form }: { form: BookForm }) {
  const { errors } = form.formState
  const address = useWatch({ control: form.control, name: 'address' }) ?? ''
  async function add(): Promise<void> {
    if (!(await form.trigger('address', { shouldFocus: true }))) return
    const { images, address: typed } = form.getValues()
    form.setValue('images', withAddress(images, typed), { shouldDirty: true })
    form.setValue('address', '')
  }
  return (
    <div className="flex items-start gap-2">
      <TextField
        label={t('pictureAddress')}
        type="url"
        autoComplete="off"
        className="min-w-0 flex-1"
        hint={t('pictureAddressHint')}
        error={errors.address?.message ?? errors.images?.message}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event) || !address.trim()) return
          // It would send the form around it.
          event.preventDefault()
          void add()
        }}
        {...form.register('address', { onChange: () => form.clearErrors('address') })}
      />
      <Button
        className="mt-[1.625rem] min-h-11"
        onClick={() => void add()}
        disabled={!address.trim()}
      >
        {t('add')}
      </Button>
    </div>
  )
}
