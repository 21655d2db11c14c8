import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { currentDirection } from '#web/i18n/language.ts'

const itemClass =
  'flex min-h-10 w-full items-center gap-3 rounded-cover px-3 text-sm outline-none select-none pointer-coarse:min-h-11 data-disabled:opacity-50 data-highlighted:bg-sunken [&>svg]:size-4 [&>svg]:shrink-0'

type MenuProps = {
  trigger: ReactNode
  align?: 'start' | 'center' | 'end' | undefined
  /** For one whose code was fetched because it was asked for. */
  defaultOpen?: boolean
  children: ReactNode
}

export function Menu({ trigger, align = 'end', defaultOpen = false, children }: MenuProps) {
  return (
    <Radix.Root
      dir={currentDirection()}
      // Not modal: the page behind keeps its scroll bar and stays readable to screen readers.
      modal={false}
      defaultOpen={defaultOpen}
    >
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 overflow-y-auto rounded-md border border-line bg-raised p-1 text-ink shadow-lift data-[state=closed]:animate-fade-out data-[state=open]:animate-settle"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export function MenuItem(props: {
  icon?: ReactNode
  tone?: 'normal' | 'danger' | undefined
  disabled?: boolean | undefined
  onSelect?: ((event: Event) => void) | undefined
  /** The one child becomes the item, for example a router link with its icon inside. */
  asChild?: boolean | undefined
  children: ReactNode
}) {
  const { icon, tone, disabled = false, onSelect, asChild = false, children } = props
  return (
    <Radix.Item
      asChild={asChild}
      disabled={disabled}
      {...(onSelect ? { onSelect } : {})}
      className={classNames(
        itemClass,
        tone === 'danger' ? 'text-danger data-highlighted:bg-danger-tint' : '[&>svg]:text-ink-soft',
      )}
    >
      {asChild ? (
        children
      ) : (
        <>
          {icon}
          <span className="flex-1">{children}</span>
        </>
      )}
    </Radix.Item>
  )
}

/** An entry as data, so that a screen can name what is in a menu whose code is yet to come. */
export interface MenuEntry {
  label: string
  icon: ReactNode
  tone?: 'danger'
  disabled?: boolean
  /** The address of a page the server makes, or what to do. */
  action: string | (() => void)
}

export function MenuEntries({ of }: { of: readonly MenuEntry[] }) {
  return of.map(({ label, icon, tone, disabled, action }) =>
    typeof action === 'string' ? (
      <MenuItem key={label} asChild>
        <a href={action}>
          {icon}
          {label}
        </a>
      </MenuItem>
    ) : (
      <MenuItem key={label} icon={icon} tone={tone} disabled={disabled} onSelect={action}>
        {label}
      </MenuItem>
    ),
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-3 py-2 text-xs text-ink-soft">{children}</Radix.Label>
}

export function MenuSeparator() {
  return <Radix.Separator className="mx-1 my-1 h-px bg-line" />
}
