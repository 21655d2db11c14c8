import { useState } from 'react'
import type { Settings, User } from '#shared/account.ts'
import { pictureAccept, pictureLimits } from '#shared/picture.ts'
import { filePath } from '#web/api/file-path.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { useHydrated } from '#web/ui/hydrated.ts'
import { useLazyConfirmDialog } from '#web/ui/lazy-confirm-button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { PictureField } from '#web/ui/picture-field.tsx'
import { t } from '#web/i18n/account.ts'
import { usePictureSave } from './use-picture-save.ts'
import { usePicture } from './use-picture.ts'

const { width, height } = pictureLimits.background

/** Avatar and background: chosen, seen, then saved. */
export function PicturesCard({ user, settings }: { user: User; settings: Settings }) {
  const avatar = usePicture()
  const background = usePicture()
  const save = usePictureSave({ user, settings }, { avatar, background })
  const [removing, setRemoving] = useState<'avatar' | 'background'>('background')
  const { Dialog, round, state, button } = useLazyConfirmDialog()
  const ask = (picture: typeof removing) => {
    setRemoving(picture)
    button.onClick()
  }

  const backgroundSource =
    background.address ??
    (settings.background ? filePath(settings, settings.background, thumb) : null)
  return (
    <Panel title={t('profileAndBackgroundImage')}>
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          void save.saveChosen().catch(() => undefined)
        }}
      >
        <PictureField
          label={t('profileImage')}
          hint={t('imageFormats')}
          error={avatar.error}
          accept={pictureAccept}
          onChoose={avatar.choose}
          preview={<Avatar name={user.name || user.username} src={avatarSource()} size="xl" />}
          remove={
            user.avatar && !avatar.file
              ? { label: t('remove'), onPress: () => ask('avatar') }
              : undefined
          }
        />
        <PictureField
          wide
          label={t('backgroundImage')}
          hint={t('backgroundHint', { width: String(width), height: String(height) })}
          error={background.error}
          accept={pictureAccept}
          onChoose={background.choose}
          preview={<BackgroundPreview source={backgroundSource} />}
          remove={
            settings.background && !background.file
              ? { label: t('removeBackground'), onPress: () => ask('background') }
              : undefined
          }
        />
        <Button
          type="submit"
          needsScript
          disabled={!useHydrated()}
          variant="primary"
          pending={save.isPending}
          className="justify-self-end"
        >
          {t('save')}
        </Button>
      </form>
      {Dialog ? (
        <Dialog
          key={round}
          description={
            removing === 'avatar' ? t('removeImageQuestion') : t('removeBackgroundQuestion')
          }
          confirmLabel={t('removeImage')}
          onConfirm={() => save.remove(removing)}
          {...state}
        />
      ) : null}
    </Panel>
  )

  function avatarSource(): string | null {
    if (avatar.address) return avatar.address
    return user.avatar ? filePath(user, user.avatar, '256x256') : null
  }
}

const thumb = `${width}x${height}`

function BackgroundPreview({ source }: { source: string | null }) {
  return (
    <div
      className="min-h-fit overflow-hidden rounded-md border border-line bg-rubric-tint"
      style={{ aspectRatio: `${width} / ${height}` }}
    >
      {source ? (
        <img src={source} alt={t('background')} className="size-full object-cover" />
      ) : (
        <p className="grid size-full place-items-center px-4 text-center text-sm text-ink-soft">
          {t('noBackgroundYet')}
        </p>
      )}
    </div>
  )
}
