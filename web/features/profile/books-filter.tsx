import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { formats } from '#shared/reading.ts'
import { unknownPart, type StatisticsForm } from '#shared/statistics.ts'
import { tagsQuery } from '#web/api/book-journal.ts'
import { useApi } from '#web/api/context.ts'
import { shelfNamesQuery } from '#web/api/library.ts'
import { useProfile } from '#web/api/profile.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { t } from '#web/i18n/statistics.ts'
import { statisticsPath } from './reading-part.ts'

/** Chooses which books the statistics count. What a reader has none of isn't offered. */
export function BooksFilter(props: {
  form: StatisticsForm
  /** The most read ones. */
  genres: readonly string[]
}) {
  const { form, genres } = props
  const { profile } = useProfile()
  const api = useApi()
  const navigate = useNavigate()
  const { data: tags = [] } = useQuery(tagsQuery(api, profile.username))
  const { data: shelves = [] } = useQuery(shelfNamesQuery(api, profile.id))
  const named = (names: readonly string[], chosen = '') =>
    [...new Set([...(chosen ? [chosen] : []), ...names])].map((name) => ({
      value: name,
      label: name,
    }))
  const choices = [
    {
      name: 'format',
      options: [
        ...formats.map((format) => ({ value: format, label: t(`format.${format}`) })),
        { value: unknownPart, label: t('formatUnknown') },
      ],
    },
    { name: 'genre', options: named(genres, form.genre) },
    {
      name: 'tag',
      options: named(
        tags.map(({ tag }) => tag),
        form.tag,
      ),
    },
    { name: 'shelf', options: shelves.map(({ id, name }) => ({ value: id, label: name })) },
  ] as const
  return (
    <div className="mb-6 grid grid-cols-2 gap-x-4 md:grid-cols-4 print:hidden">
      {choices
        .filter(({ options }) => options.length > 0)
        .map(({ name, options }) => (
          <SelectField
            key={name}
            label={t(`by.${name}`)}
            placeholder={t('allBooks')}
            options={options}
            value={form[name] ?? ''}
            onChange={(event) => {
              const chosen = { ...form, [name]: event.currentTarget.value || undefined }
              void navigate(statisticsPath(profile.username, chosen), { preventScrollReset: true })
            }}
          />
        ))}
    </div>
  )
}
