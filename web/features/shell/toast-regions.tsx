import { Toaster } from '#web/ui/toast.tsx'
import { TitleAnnouncer } from './title-announcer.tsx'

/** Where the page speaks up: for everybody, and for those who have it read aloud. */
export default function ToastRegions({ first }: { first: string }) {
  return (
    <>
      <Toaster />
      <TitleAnnouncer first={first} />
    </>
  )
}
