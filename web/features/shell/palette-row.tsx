import { Command } from 'cmdk'
import type { ReactNode } from 'react'
import { foldText } from '#shared/text.ts'

/** @returns whether a label has the words, wherever in it */
export function matchesText(label: string, text: string): boolean {
  return foldText(label).includes(foldText(text))
}

/** One line that can be chosen. */
export function PaletteRow(props: {
  /** Different for every line. */
  value: string
  /** As wide as an icon of 20 pixels, or a small picture. */
  icon: ReactNode
  /** At the far end. */
  hint?: ReactNode
  onSelect: () => void
  children: ReactNode
}) {
  const { value, icon, hint, onSelect, children } = props
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-cover px-3 py-1.5 text-sm select-none data-[selected=true]:bg-sunken"
    >
      <span
        aria-hidden
        className="grid w-8 shrink-0 place-items-center text-ink-soft [&>svg]:size-5"
      >
        {icon}
      </span>
      <span className="min-w-0 flex-1">{children}</span>
      {hint ? <span className="shrink-0 text-xs text-ink-soft tabular-nums">{hint}</span> : null}
    </Command.Item>
  )
}

/** Lines of one kind under their name. */
export function PaletteGroup({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={name}
      className="mb-1 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-soft"
    >
      {children}
    </Command.Group>
  )
}
