import { Search } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { useSearchParamText } from '#web/ui/search-param-text.ts'
import { TextField } from '#web/ui/text-field.tsx'

/** So long the hand rests before the list follows; milliseconds. */
const debounce = 500

/** A search field above a list; the words stand in the address. */
export function ListSearch(props: {
  /** Name of the search parameter. */
  name: string
  label: string
  placeholder?: string
  maxLength: number
}) {
  const { name, label, placeholder = label, maxLength } = props
  const [search, setSearch] = useSearchParams()
  const write = (words: string) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        if (words) next.set(name, words)
        else next.delete(name)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  const { ref, text, type, applyNow } = useSearchParamText(search.get(name) ?? '', debounce, write)
  return (
    <search className="block folded-search md:w-72">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          applyNow()
        }}
      >
        {/* Without scripts the form is the whole address. */}
        {[...search]
          .filter(([other]) => other !== name)
          .map(([other, value]) => (
            <input key={`${other} ${value}`} type="hidden" name={other} value={value} />
          ))}
        <TextField
          ref={ref}
          type="search"
          name={name}
          label={label}
          hideLabel
          placeholder={placeholder}
          icon={<Search />}
          maxLength={maxLength}
          autoComplete="off"
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
      </form>
    </search>
  )
}
