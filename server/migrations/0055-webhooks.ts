import type { Migration } from './migration.ts'

/** Addresses that are told of readers' changes, and what is sent to them. */
export const webhooks: Migration = {
  name: 'webhooks',
  statements(dialect) {
    const text = dialect === 'postgres' ? `TEXT COLLATE "C" NOT NULL` : 'TEXT NOT NULL'
    const string = `${text} DEFAULT ''`
    const number = 'DOUBLE PRECISION NOT NULL DEFAULT 0'
    return [
      `CREATE TABLE webhooks (id ${text} PRIMARY KEY, "user" ${string}, url ${string},
        events ${text} DEFAULT 'null', paused BOOLEAN NOT NULL DEFAULT FALSE,
        pause_reason ${string}, secret ${string}, former_secret ${string}, former_until ${string},
        delivered ${string}, created ${string})`,
      `CREATE INDEX webhooks_user ON webhooks ("user", created, id)`,
      `CREATE TABLE webhook_deliveries (id ${text} PRIMARY KEY, "user" ${string},
        webhook ${string}, event ${string}, body ${string}, state ${string}, attempts ${number},
        tried ${string}, due ${string}, status ${number}, answer ${string}, failure ${string},
        created ${string})`,
      `CREATE INDEX webhook_deliveries_user ON webhook_deliveries ("user", created DESC, id)`,
      `CREATE INDEX webhook_deliveries_webhook
        ON webhook_deliveries (webhook, state, created DESC, id)`,
      `CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created)`,
      // What a running server looks for, all the time: hardly ever any.
      `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due, id)
        WHERE state = 'waiting'`,
    ]
  },
}
