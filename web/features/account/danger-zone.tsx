import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { deleteAccount, resetEverything } from '#web/api/account.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { forgetUnseen } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { toast } from '#web/ui/toast.tsx'
import { DownloadLinks } from './download-links.tsx'

/** What cannot be undone. Before either deed everything can be taken along. */
export function DangerZone({ user }: { user: string }) {
  const [asked, setAsked] = useState<'reset' | 'delete' | null>(null)
  const reset = useReset()
  const remove = useDelete(user)
  const close = (open: boolean) => (open ? undefined : setAsked(null))
  return (
    <Panel
      tone="danger"
      title="Danger Zone"
      description="You can’t undo either of these, not even from Recently removed."
    >
      <div className="grid gap-5">
        <Deed
          text="Clears your books, activity and reading progress, and everything in Recently removed. Your account stays, and so do your shelves, empty."
          button="Reset Everything"
          onPress={() => setAsked('reset')}
        />
        <Deed
          text="Deletes your account and everything in it: shelves, books, activity and pictures."
          button="Delete Account"
          onPress={() => setAsked('delete')}
        />
      </div>
      <ConfirmDialog
        open={asked === 'reset'}
        onOpenChange={close}
        description={
          <Question>
            This clears every book on your shelves, all your activity, all reading progress and
            everything in Recently removed. You can’t undo this.
          </Question>
        }
        confirmLabel="Reset Everything"
        onConfirm={reset}
      />
      <ConfirmDialog
        open={asked === 'delete'}
        onOpenChange={close}
        description={
          <Question>
            This deletes your account, shelves, books, activity and pictures, and signs you out
            everywhere. You can’t undo this.
          </Question>
        }
        confirmLabel="Delete Account"
        onConfirm={remove}
      />
    </Panel>
  )
}

function Deed(props: { text: string; button: string; onPress: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="min-w-0 flex-[1_1_16rem] text-sm text-ink-soft">{props.text}</p>
      <Button variant="danger" aria-haspopup="dialog" onClick={props.onPress}>
        {props.button}
      </Button>
    </div>
  )
}

function Question({ children }: { children: ReactNode }) {
  return (
    <span className="grid gap-3">
      <span>{children}</span>
      <span className="font-medium text-ink">Download your data first:</span>
      <DownloadLinks />
    </span>
  )
}

function useReset(): () => Promise<void> {
  const api = useApi()
  const queries = useQueryClient()
  return async () => {
    try {
      await resetEverything(api, queries)
      toast.success('success')
    } catch (error) {
      toast.error(errorMessage(error))
      throw error
    }
  }
}

function useDelete(user: string): () => Promise<void> {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      await deleteAccount(api, queries, user)
    } catch (error) {
      toast.error(errorMessage(error), { duration: 5000 })
      throw error
    }
    toast.success('sad to see you goinng :( but its done.', { duration: 3000 })
    await navigate('/login')
    forgetUnseen(queries)
  }
}
