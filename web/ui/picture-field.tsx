import { ImageUp, Trash2 } from 'lucide-react'
import { useId, useState, type DragEvent, type ReactNode } from 'react'
import { buttonClass, Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { t } from '#web/i18n/shell.ts'
import { translated } from '#web/i18n/translated.ts'

/** Choose a picture by button or by dropping it, and see it before it is saved. */
export function PictureField(props: {
  label: string
  hint: ReactNode
  error?: string | undefined
  /** For the file input. */
  accept: string
  /** The picture as others will see it, or what stands in its place. */
  preview: ReactNode
  /** A wide preview has the buttons below it, a small one beside it. */
  wide?: boolean | undefined
  /** What was chosen or dropped; the caller judges it. */
  onChoose: (files: File[]) => void
  /** Offers to take the picture away. */
  remove?: { label: string; onPress: () => void } | undefined
}) {
  const { label, hint, error, accept, preview, wide, onChoose, remove } = props
  const id = useId()
  const [over, setOver] = useState(false)
  const drag = (event: DragEvent, isOver: boolean) => {
    event.preventDefault()
    setOver(isOver)
  }
  return (
    <div
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false)
        onChoose([...event.dataTransfer.files])
      }}
      className="grid gap-2"
    >
      <span className="text-sm font-medium" id={`${id}-label`}>
        {label}
      </span>
      <div
        className={classNames(
          'gap-4 rounded-md outline-offset-4',
          wide ? 'grid' : 'flex flex-wrap items-center',
          over && 'outline-2 outline-rubric outline-dashed',
        )}
      >
        {preview}
        <div className="flex flex-wrap gap-2">
          <label
            className={classNames(
              buttonClass('secondary'),
              'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-rubric',
            )}
          >
            <ImageUp aria-hidden className="size-4" />
            {t('chooseFile')}
            <input
              type="file"
              accept={accept}
              className="sr-only"
              aria-labelledby={`${id}-label`}
              aria-describedby={`${id}-note`}
              aria-invalid={error ? true : undefined}
              onChange={(event) => {
                onChoose([...(event.currentTarget.files ?? [])])
                // The same file can be chosen again.
                event.currentTarget.value = ''
              }}
            />
          </label>
          {remove ? (
            <Button variant="danger" icon={<Trash2 />} onClick={remove.onPress}>
              {remove.label}
            </Button>
          ) : null}
        </div>
      </div>
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={classNames(
          'min-h-5 text-sm',
          error ? 'font-medium text-danger' : 'text-ink-soft',
        )}
      >
        {error ? translated(error) : hint}
      </p>
    </div>
  )
}
