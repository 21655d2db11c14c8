import { Toaster } from '#web/ui/toast.tsx'
import { Arrival } from './arrival.tsx'

/** Where the page speaks up: for everybody, and for those who have it read aloud. */
export default function MessagePlaces({ first }: { first: string }) {
  return (
    <>
      <Toaster />
      <Arrival first={first} />
    </>
  )
}
