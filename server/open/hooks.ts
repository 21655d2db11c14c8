import type { Plan } from '#shared/plan.ts'
import type { SignUps } from '#shared/sign-up.ts'
import { apiTokenHooks } from '#server/accounts/api-tokens.ts'
import { settingsHooks } from '#server/accounts/settings.ts'
import { userHooks } from '#server/accounts/users.ts'
import { connectionHooks, deviceBookHooks } from '#server/devices/hooks.ts'
import { privateFeedHooks } from '#server/feeds/secrets.ts'
import { importHooks, importRowHooks } from '#server/import/hooks.ts'
import { activityHooks } from '#server/library/activities.ts'
import { bookshelfHooks } from '#server/library/bookshelves.ts'
import { goalHooks } from '#server/library/goals.ts'
import { progressLogHooks } from '#server/library/progress-log.ts'
import { quoteHooks } from '#server/library/quotes.ts'
import { readingHooks } from '#server/library/readings.ts'
import { userBookHooks } from '#server/library/user-books.ts'
import { deliveryHooks, webhookHooks } from '#server/webhooks/hooks.ts'

/** The product's hooks of the record service, by collection. */
export function createHooks(options: {
  /** The plan of everyone without a subscription. */
  planDefault: Plan
  /** Who can sign up; everybody if absent. */
  signUps?: SignUps
  /** Whether missing covers and facts of books are looked up; they aren't if absent. */
  completeBooks?: boolean
  /** Called when an import may have something to do. */
  onImport?: () => void
  /** Called when what a device sent may have to be applied. */
  onDevices?: () => void
  /** Whether a connected service's address may be asked; any may if absent. */
  mayAsk?: (url: string) => boolean
  /** The address of Readwise, if it is another one. */
  readwiseUrl?: string
  /** Called when a connected service may have to be asked. */
  onServices?: () => void
  /** Whether a webhook's address may be sent to; any may if absent. */
  mayReach?: (url: string) => boolean
  /** Called when a webhook may have to be sent. */
  onWebhooks?: () => void
  /** Called with the email of each deleted account. */
  onForget?: (email: string) => void
  now?: () => Date
}) {
  const now = options.now ?? (() => new Date())
  return {
    users: userHooks(now, options.signUps ?? 'open', options.onForget ?? (() => undefined)),
    api_tokens: apiTokenHooks,
    private_feeds: privateFeedHooks,
    activities: activityHooks,
    settings: settingsHooks(options.planDefault),
    bookshelves: bookshelfHooks(options.planDefault),
    user_books: userBookHooks(now, options.completeBooks),
    readings: readingHooks(now),
    progress_log: progressLogHooks(now),
    quotes: quoteHooks(now),
    goals: goalHooks,
    imports: importHooks(now, options.onImport ?? (() => undefined)),
    import_rows: importRowHooks(options.completeBooks),
    connections: connectionHooks(
      options.mayAsk ?? (() => true),
      options.onServices ?? (() => undefined),
      options.readwiseUrl ?? 'https://readwise.io',
    ),
    device_books: deviceBookHooks(now, options.onDevices ?? (() => undefined)),
    webhooks: webhookHooks(now, options.mayReach ?? (() => true)),
    webhook_deliveries: deliveryHooks(options.onWebhooks ?? (() => undefined)),
  }
}
