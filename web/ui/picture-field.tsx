import { ImageUp, Trash2 } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { t } from '#web/i18n/shell.ts'
import { FileButton, useFileDrop } from './file-button.tsx'

/** Choose a picture by button or by dropping it, and see it before it is saved. */
export function PictureField(props: {
  label: string
  hint: ReactNode
  error?: string | undefined
  /** For the file input. */
  accept: string
  /** The picture as others will see it, or a placeholder. */
  preview: ReactNode
  /** A wide preview has its buttons below, a small one next to it. */
  wide?: boolean | undefined
  /** The chosen or dropped files; the caller validates them. */
  onChoose: (files: File[]) => void
  /** Offers to take the picture away. */
  remove?: { label: string; onPress: () => void } | undefined
}) {
  const { label, hint, error, accept, preview, wide, onChoose, remove } = props
  const id = useId()
  const { isOver, dropZone } = useFileDrop(onChoose)
  return (
    <div {...dropZone} className="grid gap-2">
      <span className="text-sm font-medium" id={`${id}-label`}>
        {label}
      </span>
      <div
        className={classNames(
          'gap-4 rounded-md outline-offset-4',
          wide ? 'grid' : 'flex flex-wrap items-center',
          isOver && 'outline-2 outline-rubric outline-dashed',
        )}
      >
        {preview}
        <div className="flex flex-wrap gap-2">
          <FileButton
            variant="secondary"
            accept={accept}
            aria-labelledby={`${id}-label`}
            aria-describedby={`${id}-note`}
            aria-invalid={error ? true : undefined}
            onFiles={onChoose}
          >
            <ImageUp aria-hidden className="size-4" />
            {t('chooseFile')}
          </FileButton>
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
        {error ?? hint}
      </p>
    </div>
  )
}
