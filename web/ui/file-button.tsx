import { useState, type ComponentProps, type DragEvent, type ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import { classNames } from './class-names.ts'
import { useScriptControl } from './hydrated.ts'

/** A button that chooses a file; `aria-labelledby` or a nearby text says what for. */
export function FileButton(
  props: Omit<ComponentProps<'input'>, 'type' | 'className' | 'onChange'> & {
    variant: 'primary' | 'secondary'
    onFiles: (files: File[]) => void
    children: ReactNode
  },
) {
  const { variant, onFiles, children, ...input } = props
  return (
    <label
      className={classNames(
        buttonClass(variant),
        'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-rubric',
      )}
    >
      {children}
      <input
        {...input}
        {...useScriptControl(input.disabled)}
        type="file"
        className="sr-only"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          // The same file can be chosen again.
          event.currentTarget.value = ''
        }}
      />
    </label>
  )
}

/** @returns what an element carries onto which files can be dropped, and whether some are over it */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(over)
    if (event.type === 'drop') onFiles([...event.dataTransfer.files])
  }
  return {
    isOver,
    dropZone: { onDragOver: drag(true), onDragLeave: drag(false), onDrop: drag(false) },
  }
}
