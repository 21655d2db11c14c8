import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useApi } from '#web/api/context.ts'
import { unknownDeviceBookQuery } from '#web/api/reading.ts'
import { t } from '#web/i18n/books.ts'
import { Button } from '#web/ui/button.tsx'

/** Leads to the question which book a device reads, if there is one. */
export function DeviceQuestion({ user }: { user: string }) {
  const { data } = useQuery(unknownDeviceBookQuery(useApi(), user))
  if (!data) return null
  return (
    <p className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-md border border-line bg-surface p-4">
      <span className="min-w-0 wrap-anywhere">{t('deviceQuestion', { device: data.device })}</span>
      <Button asChild>
        <Link to="/account/connections" prefetch="intent">
          {t('sayWhichBook')}
        </Link>
      </Button>
    </p>
  )
}
