import { useQuery } from '@tanstack/react-query'
import { cleanTags, tagKey } from '#shared/tags.ts'
import { useApi } from '#web/api/context.ts'
import { tagsQuery } from '#web/api/book-journal.ts'
import { useSession } from '#web/api/session.ts'
import { t } from '#web/i18n/library.ts'
import { Chip } from '#web/ui/chip.tsx'
import { ChipsField } from '#web/ui/chips-field.tsx'
import { keepFocusInRows } from '#web/ui/keep-focus-in-rows.ts'

/** So many of the reader's other tags are offered. */
const maxOffered = 12

/** Chips, in the spelling the reader has used before, with their most used tags at a tap. */
export function TagsField(props: {
  value: readonly string[]
  error?: string | undefined
  onChange: (tags: string[]) => void
}) {
  const { value, error, onChange } = props
  const username = useSession()?.user.username ?? ''
  const { data: known = [] } = useQuery(tagsQuery(useApi(), username))
  const spelling = new Map(known.map(({ tag }) => [tagKey(tag), tag]))
  const chosen = new Set(value.map(tagKey))
  const offered = known.filter(({ tag }) => !chosen.has(tagKey(tag))).slice(0, maxOffered)
  return (
    <div className="grid grid-cols-1 gap-2">
      <ChipsField
        label={t('tags')}
        hint={t('severalWithCommas')}
        error={error}
        value={value}
        onChange={onChange}
        split={(text) => cleanTags(text.split(/[,，、،;；؛\n]/))}
        join={(now, more) =>
          cleanTags([...now, ...more.map((tag) => spelling.get(tagKey(tag)) ?? tag)])
        }
      />
      {offered.length > 0 ? (
        <ul ref={keepFocusInRows} aria-label={t('tagsYouUse')} className="flex flex-wrap gap-2">
          {offered.map(({ tag }) => (
            <li key={tag}>
              <Chip onPress={() => onChange(cleanTags([...value, tag]))}>
                <span aria-hidden>+</span> <bdi>{tag}</bdi>
              </Chip>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
