import { Search } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useLater } from '#web/ui/later.ts'
import { TextField } from '#web/ui/text-field.tsx'

/** So long the hand rests before the list follows; milliseconds. */
const debounce = 500

/** Finds shelves by name; the words stand in the address. */
export function ShelfSearch() {
  const [search, setSearch] = useSearchParams()
  const [text, setText] = useState(search.get('name') ?? '')
  const { later, cancel } = useLater(debounce)
  const apply = (name: string) =>
    setSearch(name.trim() ? { name: name.trim() } : {}, {
      replace: true,
      preventScrollReset: true,
    })
  return (
    <search className="mb-4 block max-w-md">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          cancel()
          apply(text)
        }}
      >
        <TextField
          type="search"
          label="Search shelves by name"
          hideLabel
          placeholder="Search shelves by name"
          icon={<Search />}
          maxLength={100}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            const { value } = event.currentTarget
            setText(value)
            later(() => apply(value))
          }}
        />
      </form>
    </search>
  )
}
