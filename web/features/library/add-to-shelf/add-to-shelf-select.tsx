import { Plus } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type Ref } from 'react'
import type { UserBook } from '#shared/user-book.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { shelfNamesQuery } from '#web/api/library.ts'
import { useSession } from '#web/api/session.ts'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { ShelfDialog } from '../shelves/shelf-form.tsx'

const none: ReadonlyMap<string, UserBook> = new Map()

/** The reader's shelves as a dropdown; those that have the book cannot be chosen. */
export function ShelfSelect(props: {
  label?: string
  /** Copies of the book by shelf; left out where the shelf is for several books. */
  taken?: ReadonlyMap<string, UserBook>
  value: string
  onValueChange: (shelf: string) => void
  error?: string | undefined
  ref?: Ref<HTMLSelectElement>
}) {
  const { label = t('shelf'), taken = none, value, onValueChange, error, ref } = props
  const shelves = useQuery(shelfNamesQuery(useApi(), useSession()?.user.id ?? ''))
  const [isMaking, setIsMaking] = useState(false)
  const isEmpty = shelves.data?.length === 0
  const failure = shelves.error && !shelves.data ? errorMessage(shelves.error) : undefined
  return (
    <div className="flex items-start gap-2">
      <SelectField
        ref={ref}
        label={label}
        className="min-w-0 flex-1"
        placeholder={shelves.isPending ? t('loadingYourShelves') : t('noShelfChosen')}
        hint={isEmpty ? t('createAShelf') : undefined}
        error={error ?? failure}
        value={value}
        options={(shelves.data ?? []).map(({ id, name }) => ({
          value: id,
          label: taken.has(id) ? t('shelfHasThisBook', { name }) : name,
          disabled: taken.has(id),
        }))}
        onChange={(event) => onValueChange(event.currentTarget.value)}
      />
      <Button
        icon={<Plus />}
        className="mt-[1.625rem] min-h-11 px-3"
        onClick={() => setIsMaking(true)}
      >
        {t('newShelf')}
      </Button>
      <ShelfDialog
        key={String(isMaking)}
        open={isMaking}
        onOpenChange={setIsMaking}
        onSaved={(made) => onValueChange(made.id)}
      />
    </div>
  )
}
