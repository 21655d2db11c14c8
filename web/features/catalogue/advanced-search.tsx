import { zodResolver } from '@hookform/resolvers/zod'
import { SlidersHorizontal } from 'lucide-react'
import { useId, useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import * as z from 'zod'
import { searchForm } from '#shared/book.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { blankFilters, filterFields, filterLabels, hasFilters } from './search-address.ts'
import { useSearch } from './use-search.ts'

const { title, author, publisher, genre, isbn } = searchForm.shape
const advancedForm = z.object({
  title,
  author,
  publisher,
  genre,
  isbn,
  advancedOnly: z.boolean(),
})
type AdvancedForm = z.output<typeof advancedForm>

const nothingAsked = 'Search field and advanced filters both cannot be empty.'
const hints = { isbn: '10 or 13 digits, with or without hyphens.' } as Record<string, string>

/** The button that shows how many filters are in force, and the dialog that sets them. */
export function AdvancedSearch() {
  const { search } = useSearch()
  const [open, setOpen] = useState(false)
  const count = filterFields.filter((field) => search.filters[field]).length
  return (
    <>
      <Button
        size="lg"
        aria-haspopup="dialog"
        className="max-h-11 min-h-11! px-4 text-sm"
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal aria-hidden className="size-5 md:size-4" />
        <span className="max-md:sr-only">Advanced Search</span>
        {count > 0 ? (
          <Badge tone="rubric">
            {count}
            <span className="sr-only"> in use</span>
          </Badge>
        ) : null}
      </Button>
      <AdvancedDialog open={open} onOpenChange={setOpen} />
    </>
  )
}

function AdvancedDialog(props: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { open, onOpenChange } = props
  const formId = useId()
  const { search, change } = useSearch()
  const form = useForm<z.input<typeof advancedForm>, unknown, AdvancedForm>({
    resolver: zodResolver(advancedForm),
    values: { ...search.filters, advancedOnly: search.advancedOnly },
  })
  const { errors } = form.formState
  const isOnly = useWatch({ control: form.control, name: 'advancedOnly' })

  function apply({ advancedOnly, ...filters }: AdvancedForm): void {
    if (advancedOnly && !hasFilters(filters)) {
      form.setError('root', { message: nothingAsked })
      form.setFocus('title')
      return
    }
    onOpenChange(false)
    change({ filters, advancedOnly })
  }

  return (
    <Dialog
      title="Advanced Search"
      description="Narrow the books down by what you know of them."
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <>
          <Button onClick={() => form.reset({ ...blankFilters, advancedOnly: false })}>
            Reset
          </Button>
          <Button type="submit" form={formId} variant="primary">
            {isOnly ? 'Apply and Search' : 'Apply'}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid grid-cols-2 gap-x-4 gap-y-1 md:gap-y-2"
        onSubmit={(event) => void form.handleSubmit(apply)(event)}
      >
        {errors.root?.message ? (
          <ErrorState
            className="col-span-2 mb-4"
            title="Input Error"
            messages={[errors.root.message]}
          />
        ) : null}
        {filterFields.map((field) => (
          <TextField
            key={field}
            className={classNames(!['publisher', 'genre'].includes(field) && 'max-md:col-span-2')}
            label={filterLabels[field]}
            autoComplete="off"
            hint={hints[field]}
            error={errors[field]?.message}
            {...form.register(field)}
          />
        ))}
        <Controller
          control={form.control}
          name="advancedOnly"
          render={({ field }) => (
            <Checkbox
              className="max-md:col-span-2 md:self-center"
              label="Use only advanced filters?"
              hint="The search text is left aside."
              checked={field.value}
              onCheckedChange={field.onChange}
            />
          )}
        />
      </form>
    </Dialog>
  )
}
