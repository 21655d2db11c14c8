import { Search } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { directorySorts, type DirectorySort } from '#shared/directory.ts'
import { useSearchParamText } from '#web/ui/search-param-text.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { t } from '#web/i18n/directory.ts'
import { writeDirectory, type DirectoryAddress } from './directory-address.ts'

/** So long the hand rests before the list follows; milliseconds. */
const debounce = 700

/** The search and the order of readers, both kept in the address. */
export function DirectoryControls(props: { address: DirectoryAddress; isReader: boolean }) {
  const { address, isReader } = props
  const [, setSearch] = useSearchParams()
  const write = (text: string, sort: DirectorySort) =>
    setSearch(writeDirectory({ text, sort }), { replace: true, preventScrollReset: true })
  const { ref, text, type, applyNow } = useSearchParamText(address.text, debounce, (words) =>
    write(words, address.sort),
  )
  const sorts = directorySorts.filter((sort) => isReader || sort !== 'similar')
  return (
    <search className="mb-6 flex flex-wrap gap-3 md:mb-8">
      <form
        className="max-w-md min-w-0 flex-[1_1_7rem]"
        onSubmit={(event) => {
          event.preventDefault()
          applyNow()
        }}
      >
        {/* A form sent without scripts replaces the whole query. */}
        {address.sort === 'newest' ? null : (
          <input type="hidden" name="sort" value={address.sort} />
        )}
        <TextField
          ref={ref}
          type="search"
          name="q"
          label={t('searchReadersByName')}
          hideLabel
          placeholder={t('search')}
          icon={<Search />}
          maxLength={255}
          autoComplete="off"
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
      </form>
      <SelectField
        label={t('sort')}
        hideLabel
        className="w-fit min-w-38 shrink-0"
        value={address.sort}
        options={sorts.map((value) => ({ value, label: t(`sort.${value}`) }))}
        onChange={(event) => {
          const sort = event.currentTarget.value as DirectorySort
          applyNow((words) => write(words, sort))
        }}
      />
    </search>
  )
}
