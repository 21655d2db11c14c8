import { useState } from 'react'
import type { Settings, User } from '#shared/account.ts'
import { pictureAccept, pictures, pictureSentences } from '#shared/picture.ts'
import { ProfileError, saveMessage, useProfileSave, type ProfileChanges } from '#web/api/account.ts'
import { useApi } from '#web/api/context.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { PictureField } from '#web/ui/picture-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { isReadable, usePicture } from './use-picture.ts'

const { width, height } = pictures.background

/** Avatar and background: chosen, seen, then saved. */
export function PicturesCard({ user, settings }: { user: User; settings: Settings }) {
  const api = useApi()
  const save = useProfileSave({ user, settings })
  const avatar = usePicture()
  const background = usePicture()
  const [removing, setRemoving] = useState<'avatar' | 'background' | null>(null)

  async function send(changes: ProfileChanges): Promise<void> {
    try {
      await save.mutateAsync(changes)
      toast.success('updated')
    } catch (error) {
      toast.error(pictureMessage(error))
      throw error
    }
  }
  async function submit(): Promise<void> {
    const chosen = [avatar.file, background.file].filter((file) => file !== null)
    if (!chosen.length) return void toast.info('Nothing has changed.')
    for (const file of chosen)
      if (!(await isReadable(file)))
        return void toast.error(pictureSentences.missing, { duration: 2000 })
    await send({
      ...(avatar.file && { user: { avatar: avatar.file } }),
      ...(background.file && { settings: { background: background.file } }),
    })
    avatar.clear()
    background.clear()
  }
  async function remove(): Promise<void> {
    if (removing === 'avatar') await send({ user: { avatar: null } })
    else await send({ settings: { background: null } })
  }

  const backgroundSource =
    background.address ??
    (settings.background ? api.files.getURL(settings, settings.background, thumb) : null)
  return (
    <Panel title="Profile and Background Image">
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          void submit().catch(() => undefined)
        }}
      >
        <PictureField
          label="Profile image"
          hint="jpg, png, webp, svg or gif, 5 MB at most."
          error={avatar.error}
          accept={pictureAccept}
          onChoose={avatar.choose}
          preview={<Avatar name={user.name || user.username} src={avatarSource()} size="xl" />}
          remove={
            user.avatar && !avatar.file
              ? { label: 'Remove', onPress: () => setRemoving('avatar') }
              : undefined
          }
        />
        <PictureField
          wide
          label="Background image"
          hint={`Recommended ${width}x${height} px. The frame shows the part that is kept.`}
          error={background.error}
          accept={pictureAccept}
          onChoose={background.choose}
          preview={<BackgroundPreview source={backgroundSource} />}
          remove={
            settings.background && !background.file
              ? { label: 'Remove background', onPress: () => setRemoving('background') }
              : undefined
          }
        />
        <Button
          type="submit"
          variant="primary"
          pending={save.isPending}
          className="justify-self-end"
        >
          Save
        </Button>
      </form>
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => (open ? undefined : setRemoving(null))}
        description={`This removes your ${removing === 'avatar' ? 'profile' : 'background'} image. It cannot be recovered.`}
        confirmLabel="Remove image"
        onConfirm={remove}
      />
    </Panel>
  )

  function avatarSource(): string | null {
    if (avatar.address) return avatar.address
    return user.avatar ? api.files.getURL(user, user.avatar, { thumb: '256x256' }) : null
  }
}

const thumb = { thumb: `${width}x${height}` }

function BackgroundPreview({ source }: { source: string | null }) {
  return (
    <div
      className="overflow-hidden rounded-md border border-line bg-rubric-tint"
      style={{ aspectRatio: `${width} / ${height}` }}
    >
      {source ? (
        <img src={source} alt="Background" className="size-full object-cover" />
      ) : (
        <p className="grid size-full place-items-center px-4 text-center text-sm text-ink-soft">
          No background yet: your profile shows a field of dots.
        </p>
      )}
    </div>
  )
}

/** With what was wrong about the picture: no field here has a place for it. */
function pictureMessage(error: unknown): string {
  const [reason] = error instanceof ProfileError ? Object.values(error.fields) : []
  return [saveMessage(error), reason].filter(Boolean).join(' ')
}
