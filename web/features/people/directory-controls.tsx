import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { directorySorts, type DirectorySort } from '#shared/directory.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { writeDirectory, type DirectoryAddress } from './directory-address.ts'

/** So long the hand rests before the list follows; milliseconds. */
const debounce = 700

const labels: Record<DirectorySort, string> = {
  newest: 'Newest',
  'a-z': 'A-Z',
  similar: 'Similar taste',
}

/** Finds readers by name and puts them in order; both stand in the address. */
export function DirectoryControls(props: { address: DirectoryAddress; isReader: boolean }) {
  const { address, isReader } = props
  const [, setSearch] = useSearchParams()
  const [text, setText] = useState(address.text)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // Back at everybody, by a link or the browser's button, the field is as empty as the address.
  useEffect(() => {
    if (address.text === '' && timer.current === undefined) setText('')
  }, [address.text])
  const apply = (change: Partial<Pick<DirectoryAddress, 'text' | 'sort'>>) => {
    clearTimeout(timer.current)
    timer.current = undefined
    setSearch(writeDirectory({ text, sort: address.sort, ...change }), {
      replace: true,
      preventScrollReset: true,
    })
  }
  const sorts = directorySorts.filter((sort) => isReader || sort !== 'similar')
  return (
    <search className="mb-6 flex gap-3 md:mb-8">
      <form
        className="min-w-0 max-w-md flex-1"
        onSubmit={(event) => {
          event.preventDefault()
          apply({ text })
        }}
      >
        <TextField
          type="search"
          label="Search readers by name"
          hideLabel
          placeholder="Search"
          icon={<Search />}
          maxLength={255}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            const { value } = event.currentTarget
            setText(value)
            clearTimeout(timer.current)
            timer.current = setTimeout(() => apply({ text: value }), debounce)
          }}
        />
      </form>
      <SelectField
        label="Sort"
        hideLabel
        className="w-42 shrink-0 max-[24rem]:w-38"
        value={address.sort}
        options={sorts.map((value) => ({ value, label: labels[value] }))}
        onChange={(event) => apply({ sort: event.currentTarget.value as DirectorySort })}
      />
    </search>
  )
}
