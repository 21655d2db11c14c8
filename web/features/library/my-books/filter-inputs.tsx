import { formatBookFilter, type BookFilter } from '#shared/book-filter.ts'

/** Keeps a filter in the address when a form of other filters is sent without scripts. */
export function FilterInputs({ filter }: { filter: BookFilter }) {
  return [...formatBookFilter(filter)].map(([name, value]) => (
    <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
  ))
}
