import { Search } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { t } from '#web/i18n/books.ts'
import { useAddressText } from '#web/ui/address-text.ts'
import { TextField } from '#web/ui/text-field.tsx'

/** So long the hand rests before the list follows; milliseconds. */
const debounce = 500

/** Finds shelves by name; the words stand in the address. */
export function ShelfSearch() {
  const [search, setSearch] = useSearchParams()
  const { text, type, applyNow } = useAddressText(search.get('name') ?? '', debounce, (name) =>
    setSearch(name ? { name } : {}, { replace: true, preventScrollReset: true }),
  )
  return (
    <search className="mb-4 block max-w-md">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          applyNow()
        }}
      >
        <TextField
          type="search"
          label={t('searchShelvesByName')}
          hideLabel
          placeholder={t('searchShelvesByName')}
          icon={<Search />}
          maxLength={100}
          autoComplete="off"
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
      </form>
    </search>
  )
}
