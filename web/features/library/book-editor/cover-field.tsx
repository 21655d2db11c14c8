import { ArrowUp, X } from 'lucide-react'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { parseCoverLink } from '#shared/cover.ts'
import { isPicture, pictureAccept, pictureError } from '#shared/picture.ts'
import { t } from '#web/i18n/library.ts'
import { ruleMessage } from '#web/i18n/rules.ts'
import { Cover } from '#web/ui/cover.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { PictureField } from '#web/ui/picture-field.tsx'

/** Bytes; no picture is shorter, so a file that is was damaged on the way. */
const smallest = 16

/** The new picture: a file replaces it, '' removes it. */
export type Upload = File | '' | undefined

/**
 * The pictures of a book. The uploaded one comes before the addresses, and the first of all is the
 * cover.
 */
export function CoverField(props: {
  title: string
  author: string | undefined
  /** Address of the uploaded picture that is kept so far. */
  stored?: string | undefined
  upload: Upload
  onUpload: (upload: Upload) => void
  images: readonly string[]
  onImages: (images: string[]) => void
  /** Takes another address. */
  entry: ReactNode
}) {
  const { title, author, stored, upload, onUpload, images, onImages } = props
  const chosen = usePreview(upload)
  const uploaded = chosen ?? (upload === '' ? undefined : stored)
  const [error, setError] = useState<string>()
  const cover = (
    <span className="w-20 shrink-0">
      <Cover title={title} author={author} src={uploaded ?? shown(images[0])} />
    </span>
  )

  function choose(files: readonly File[]): void {
    const [file] = files
    if (!file) return
    const problem =
      pictureError(files, { minSize: smallest }) ??
      (isPicture(file) ? undefined : ({ key: 'pictureMissing' } as const))
    setError(problem && ruleMessage(problem))
    if (!problem) onUpload(file)
  }

  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-sm font-medium">{t('cover')}</legend>
      <PictureField
        label={t('coverPicture')}
        hint={t('pictureFormats')}
        error={error}
        accept={pictureAccept}
        onChoose={choose}
        preview={cover}
        remove={
          uploaded
            ? {
                label: t('removeUpload'),
                onPress: () => {
                  setError(undefined)
                  onUpload(stored ? '' : undefined)
                },
              }
            : undefined
        }
      />
      <ImageList title={title} images={images} onImages={onImages} />
      {props.entry}
    </fieldset>
  )
}

function ImageList(props: {
  title: string
  images: readonly string[]
  onImages: (images: string[]) => void
}) {
  const { title, images, onImages } = props
  if (images.length === 0) return null
  return (
    <ul aria-label={t('imageAddresses')} className="grid gap-1.5">
      {images.map((address, place) => (
        <li key={address} className="flex items-center gap-2 text-sm">
          <span className="w-6 shrink-0">
            <Cover title={title} src={shown(address)} alt="" />
          </span>
          <span className="min-w-0 flex-1 truncate">{address}</span>
          {place > 0 ? (
            <IconButton
              label={t('moveToTheFront', { name: address })}
              onClick={() => onImages([address, ...images.filter((one) => one !== address)])}
            >
              <ArrowUp aria-hidden />
            </IconButton>
          ) : null}
          <IconButton
            label={t('removeNamed', { name: address })}
            onClick={() => onImages(images.filter((one) => one !== address))}
          >
            <X aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

/** Preview of the cover at an address. */
function shown(address: string | undefined): string | undefined {
  if (!address?.startsWith('http')) return undefined
  if (parseCoverLink(address)) return address
  return `/covers/linked/typed?${new URLSearchParams({ address })}`
}

/** An address under which the chosen file can be shown before it is sent. */
function usePreview(upload: Upload): string | undefined {
  const address = useMemo(
    () => (upload instanceof File ? URL.createObjectURL(upload) : undefined),
    [upload],
  )
  useEffect(() => {
    if (!address) return
    return () => URL.revokeObjectURL(address)
  }, [address])
  return address
}
