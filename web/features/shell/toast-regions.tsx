import { Toaster } from '#web/ui/toast.tsx'
import { TitleAnnouncer } from './title-announcer.tsx'

/** The regions for messages: the visible ones, and a live region for screen readers. */
export default function ToastRegions({ first }: { first: string }) {
  return (
    <>
      <Toaster />
      <TitleAnnouncer first={first} />
    </>
  )
}
