import { useState } from 'react'
import type { AdminReader } from '#shared/admin.ts'
import { deleteReader, hideReader, makeResetLink, signOutReader } from '#web/api/admin.ts'
import { t } from '#web/i18n/admin.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog-sheet.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAct } from './confirmed-acts.tsx'
import { CopyLink } from './copy-link.tsx'

/** What can be done to a reader. */
export function ReaderDialog({ reader, onClose }: { reader: AdminReader; onClose: () => void }) {
  const { username, email, sessions, isHidden, isAdmin } = reader
  const reset = useAct(makeResetLink(username))
  const signOut = useAct(signOutReader(username), () => void toast.success(t('signedOut')))
  const hide = useAct(
    hideReader(username, !isHidden),
    () => void toast.success(t(isHidden ? 'shownAgain' : 'profileHidden')),
  )
  return (
    <Dialog
      open
      size="md"
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={<bdi>{username}</bdi>}
      description={
        <>
          <bdi>{email}</bdi> · {t('openSessions', { count: sessions })}
        </>
      }
    >
      <div className="grid gap-6">
        <div className="flex flex-wrap gap-2">
          <Button pending={signOut.isPending} onClick={() => signOut.mutate()}>
            {t('signOut')}
          </Button>
          <Button pending={hide.isPending} onClick={() => hide.mutate()}>
            {t(isHidden ? 'unhide' : 'hide')}
          </Button>
          {isAdmin ? null : (
            <Button pending={reset.isPending} onClick={() => reset.mutate()}>
              {t('resetLink')}
            </Button>
          )}
        </div>
        {reset.data ? <CopyLink link={reset.data.link} hint={t('resetLinkHint')} /> : null}
        {isAdmin ? (
          <p className="text-sm text-ink-soft">{t('adminsByCommand')}</p>
        ) : (
          <DeleteForm username={username} onDeleted={onClose} />
        )}
      </div>
    </Dialog>
  )
}

/** Deletes the account once its username is typed. */
function DeleteForm({ username, onDeleted }: { username: string; onDeleted: () => void }) {
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const remove = useAct(deleteReader(username), () => {
    toast.success(t('accountDeleted'))
    onDeleted()
  })
  return (
    <form
      noValidate
      className="grid gap-4 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault()
        const isRight = typed.trim().toLowerCase() === username
        setWrong(!isRight)
        if (isRight && !remove.isPending) remove.mutate()
      }}
    >
      <TextField
        label={t('typeUsername', { username })}
        hint={t('deleteHint')}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        error={isWrong ? t('notTheUsername') : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button
        type="submit"
        variant="danger"
        className="justify-self-start"
        pending={remove.isPending}
      >
        {t('deleteAccount')}
      </Button>
    </form>
  )
}
