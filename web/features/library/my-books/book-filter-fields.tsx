import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { Link, useParams } from 'react-router'
import { activeFilters, filterRanges, opinions, typedFilters } from '#shared/book-filter.ts'
import { formats } from '#shared/reading.ts'
import { useApi } from '#web/api/context.ts'
import { shelfNamesQuery } from '#web/api/library.ts'
import { tagsQuery } from '#web/api/book-journal.ts'
import { formatPercent } from '#web/i18n/format.ts'
import { t } from '#web/i18n/library.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { TextLink } from '#web/ui/link.tsx'
import { useRatingScale } from '#web/ui/rating-scale.ts'
import { formatRating, ratingStep } from '#web/ui/rating-steps.ts'
import { RangeSlider } from '#web/ui/range-slider.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { languageOptions } from '../book-editor/language-options.ts'
import type { BookFilterState } from './use-book-filter.ts'

/** The filters besides status. */
export default function BookFilterFields(props: { user: string; state: BookFilterState }) {
  const { user, state } = props
  const { shown, change, applyNow, reset } = state
  const scale = useRatingScale()
  return (
    <form
      className="grid grid-cols-2 gap-x-4 gap-y-2 text-ink md:gap-x-6 lg:grid-cols-4"
      onSubmit={(event) => {
        event.preventDefault()
        applyNow()
      }}
    >
      {typedFilters.map((name) => (
        <TextField
          key={name}
          label={t(`filter.${name}`)}
          value={shown[name]}
          maxLength={255}
          autoComplete="off"
          inputMode={name === 'isbn' ? 'numeric' : undefined}
          onChange={(event) => change({ [name]: event.currentTarget.value })}
        />
      ))}
      <RangeSlider
        className="max-sm:col-span-2"
        label={t('progress')}
        {...filterRanges.progress}
        format={formatPercent}
        value={[...shown.progress]}
        onValueChange={(progress) => change({ progress })}
      />
      <RangeSlider
        className="max-sm:col-span-2"
        label={t('rating')}
        {...filterRanges.rating}
        step={ratingStep(scale)}
        format={(value) => formatRating(value, scale)}
        value={[...shown.rating]}
        onValueChange={(rating) => change({ rating })}
      />
      <SelectField
        className="max-sm:col-span-2"
        label={t('language')}
        placeholder={t('anyLanguage')}
        options={languageOptions(shown.language)}
        value={shown.language}
        onChange={(event) => change({ language: event.currentTarget.value })}
      />
      <SelectField
        label={t('format')}
        placeholder={t('anyFormat')}
        options={formats.map((value) => ({ value, label: t(`format.${value}`) }))}
        value={shown.format}
        onChange={({ currentTarget: { value } }) =>
          change({ format: formats.find((format) => format === value) ?? '' })
        }
      />
      <TextField
        label={t('yearRead')}
        value={shown.read}
        maxLength={4}
        autoComplete="off"
        inputMode="numeric"
        onChange={(event) => change({ read: event.currentTarget.value })}
      />
      <Chips
        label={t('without')}
        options={opinions.map((id) => ({ id, name: t(`without.${id}`) }))}
        chosen={shown.without}
        onChange={(without) => change({ without })}
      />
      <TagChips chosen={shown.tag} onChange={(tag) => change({ tag })} />
      <ShelfChips user={user} chosen={shown.shelves} onChange={(shelves) => change({ shelves })} />
      <div className="col-span-2 flex justify-end gap-2 lg:col-span-4">
        <Button
          variant="quiet"
          icon={<RotateCcw />}
          disabled={activeFilters(shown) === 0}
          onClick={reset}
        >
          {t('reset')}
        </Button>
        {/* Enter does the same; some phones have only this. */}
        <Button type="submit" variant="secondary">
          {t('apply')}
        </Button>
      </div>
    </form>
  )
}

/** One of the reader's tags, most used first; one of an address is there in any case. */
function TagChips({ chosen, onChange }: { chosen: string; onChange: (tag: string) => void }) {
  const { username = '' } = useParams()
  const { data: known = [] } = useQuery(tagsQuery(useApi(), username))
  const tags = new Set([...(chosen ? [chosen] : []), ...known.slice(0, 20).map(({ tag }) => tag)])
  if (tags.size === 0) return null
  return (
    <div className="col-span-2 min-w-0 pb-3 lg:col-span-4">
      <Chips
        label={t('tags')}
        options={[...tags].map((tag) => ({ id: tag, name: tag }))}
        chosen={chosen ? [chosen] : []}
        onChange={(next) => onChange(next.find((tag) => tag !== chosen) ?? '')}
      />
      <TextLink asChild>
        <Link to={`/u/${username}/tags`}>{t('allTags')}</Link>
      </TextLink>
    </div>
  )
}

function ShelfChips(props: {
  user: string
  chosen: readonly string[]
  onChange: (shelves: string[]) => void
}) {
  const { user, ...chips } = props
  const { data: shelves = [] } = useQuery(shelfNamesQuery(useApi(), user))
  return shelves.length === 0 ? null : <Chips label={t('shelves')} options={shelves} {...chips} />
}

/** Several can be chosen; none filters nothing. */
function Chips<Id extends string>(props: {
  label: string
  options: readonly { id: Id; name: string }[]
  chosen: readonly Id[]
  onChange: (chosen: Id[]) => void
}) {
  const { label, options, chosen, onChange } = props
  return (
    <fieldset className="col-span-2 min-w-0 pb-3 lg:col-span-4">
      <legend className="pb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map(({ id, name }) => {
          const isChosen = chosen.includes(id)
          return (
            <Chip
              key={id}
              pressed={isChosen}
              onPress={() =>
                onChange(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])
              }
            >
              <bdi className="max-w-48 truncate">{name}</bdi>
            </Chip>
          )
        })}
      </div>
    </fieldset>
  )
}
