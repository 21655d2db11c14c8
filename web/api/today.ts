import { dayIn, type PartialDate } from '#shared/partial-date.ts'
import { deviceTimeZone } from '#web/i18n/device-time-zone.ts'
import { serverTime } from './server-time.ts'
import { useSession } from './session.ts'

/** @returns what says the signed-in reader's day; the device's clock may be wrong */
export function useToday(): () => PartialDate {
  const end = Number(useSession()?.settings?.day_ends ?? 0)
  return () => dayIn(deviceTimeZone(), new Date(serverTime()), end)
}
