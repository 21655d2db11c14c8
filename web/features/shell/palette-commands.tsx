import { useQuery } from '@tanstack/react-query'
import { BookOpen, Bookmark, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { isbnOf } from '#shared/book.ts'
import type { OwnBook, Suggestions } from '#shared/suggestion.ts'
import { useApi } from '#web/api/context.ts'
import { useSession } from '#web/api/session.ts'
import { suggestQuery } from '#web/api/suggestions.ts'
import { useCommands } from '#web/features/library/command/command-run.ts'
import { readCommand, type Command } from '#web/features/library/command/command.ts'
import { useDebouncedText } from '#web/ui/debounced-text.ts'
import { debounce } from './palette-found.tsx'
import { matchesText, PaletteGroup, PaletteRow } from './palette-row.tsx'
import { t } from '#web/i18n/palette.ts'

/** So many books are offered for one command. */
const max = 3

interface Offer {
  id: string
  label: string
  icon: ReactNode
  run: () => Promise<boolean>
}

/** Does something with a book that is named: saves its page, finishes it, wants it. */
export function PaletteCommands({ text, onClose }: { text: string; onClose: () => void }) {
  const command = readCommand(text)
  const found = useFound(command?.title ?? '')
  const whole = useFound(text)
  const commands = useCommands()
  const isReader = Boolean(useSession())
  if (!isReader || !command || !found || !whole) return null
  // "Fahrenheit 451" is a title before it is a page.
  if ([...whole.own, ...whole.books].some(({ title }) => matchesText(title, text))) return null
  const offers = offersFor(command, found, commands)
  if (offers.length === 0) return null
  return (
    <PaletteGroup name={t('commands')}>
      {offers.map(({ id, label, icon, run }) => (
        <PaletteRow
          key={id}
          value={`command ${id}`}
          icon={icon}
          onSelect={() => void run().then((isDone) => isDone && onClose())}
        >
          <bdi className="line-clamp-1 font-medium wrap-anywhere">{label}</bdi>
        </PaletteRow>
      ))}
    </PaletteGroup>
  )
}

function offersFor(
  command: Command,
  { own, books }: Suggestions,
  commands: ReturnType<typeof useCommands>,
): Offer[] {
  const open = own
    .filter(({ status }) => status !== 'completed')
    .toSorted((a, b) => Number(b.status === 'reading') - Number(a.status === 'reading'))
    .slice(0, max)
  if (command.kind === 'want')
    return books
      .filter((book) => isbnOf(book))
      .slice(0, max)
      .map((book) => ({
        id: book.id,
        label: t('commandWant', { title: book.title }),
        icon: <Bookmark />,
        run: () => commands.want(book),
      }))
  if (command.kind === 'finish')
    return open.map((book) => ({
      id: book.id,
      label: t('commandFinish', { title: book.title }),
      icon: <CircleCheck />,
      run: () => commands.finish(book),
    }))
  const { number } = command
  return open.map((book) => {
    const isPercent = command.isPercent || countsPercent(book)
    return {
      id: book.id,
      label: t(isPercent ? 'commandSavePercent' : 'commandSavePage', { number, title: book.title }),
      icon: <BookOpen />,
      run: () => commands.savePosition(book, number, isPercent),
    }
  })
}

/** A book whose length is unknown is counted in percent unless a page was entered. */
function countsPercent({ page_count, progress, progress_percent }: OwnBook): boolean {
  return page_count <= 0 && (progress_percent > 0 || progress === 0)
}

/** @returns what the text finds, once that is known */
function useFound(text: string): Suggestions | undefined {
  const asked = useDebouncedText(text, debounce)
  const user = useSession()?.user.id ?? ''
  const { data, isPlaceholderData } = useQuery(suggestQuery(useApi(), user, asked))
  return asked === text && !isPlaceholderData ? data : undefined
}
