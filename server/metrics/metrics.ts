import { statfs } from 'node:fs/promises'
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type GaugeConfiguration,
} from 'prom-client'
import type { Database } from '#records/index.ts'
import { backupAge } from '../backup/last-backup.ts'
import { readSchedule } from '../backup/schedule-state.ts'
import type { Config } from '../settings/config.ts'
import type { AnsweredRequest } from '../http/watch-requests.ts'
import { knownSchema } from '../migrations/migrate.ts'
import { readOutbox } from '../mail/outbox.ts'
import { version } from '../runtime/version.ts'
import { folderSizes } from './folder-sizes.ts'

/** The metrics of this process, in Prometheus' format. */
export interface Metrics {
  request: (answered: AnsweredRequest) => void
  /** Counts a call to another catalogue. */
  source: (name: string, result: string) => void
  /** @returns the same database with its times measured */
  timed: (database: Database) => Database
  /** Adds metrics that are read at each scrape. */
  look: (at: {
    database: Database
    dataDir: string
    clients: () => number
    backups: Config['backups']
  }) => void
  readonly contentType: string
  text: () => Promise<string>
}

/** Seconds. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const databaseBuckets = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/** All other methods count as one, as clients can send anything. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** @param engine of the database, such as `SQLite` */
export function openMetrics(engine: string): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  gauge(registry, {
    name: 'octavo_info',
    help: 'The versions of Octavo, its schema and its platform',
    labelNames: ['version', 'schema', 'node', 'database'],
  }).set({ version, schema: String(knownSchema), node: process.versions.node, database: engine }, 1)
  const requests = new Counter({
    name: 'octavo_http_requests_total',
    help: 'Requests by method, route and status; status 0 is a client that went away',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'octavo_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer; without event streams',
    labelNames: ['method', 'route'],
    buckets: requestBuckets,
    registers,
  })
  const database = new Histogram({
    name: 'octavo_database_duration_seconds',
    help: 'Time of queries, searches and transactions, with the wait for their turn',
    labelNames: ['kind'],
    buckets: databaseBuckets,
    registers,
  })
  const sources = new Counter({
    name: 'octavo_source_requests_total',
    help: 'Calls to other catalogues: answered, failed, or refused as there were too many',
    labelNames: ['source', 'result'],
    registers,
  })

  async function measured<T>(kind: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await work()
    } finally {
      database.observe({ kind }, (performance.now() - began) / 1000)
    }
  }

  return {
    request(answered) {
      const method = methods.includes(answered.method) ? answered.method : 'other'
      const route = answered.route || 'other'
      requests.inc({ method, route, status: answered.status })
      if (!answered.isStream) seconds.observe({ method, route }, answered.seconds)
    },
    source: (source, result) => sources.inc({ source, result }),
    timed: (plain) => ({
      ...plain,
      query: (...asked) => measured('query', () => plain.query(...asked)),
      search: (...asked) => measured('search', () => plain.search(...asked)),
      transaction: (work) => measured('transaction', () => plain.transaction(work)),
    }),
    look(at) {
      addLooks(registry, at)
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}

function gauge<Label extends string>(
  registry: Registry,
  about: GaugeConfiguration<Label>,
): Gauge<Label> {
  return new Gauge({ ...about, registers: [registry] })
}

function addBackups(registry: Registry, database: Database, folder: string): void {
  const read = () => readSchedule(database, folder).catch(() => undefined)
  gauge(registry, {
    name: 'octavo_backup_age_seconds',
    help: 'Age of the newest scheduled backup; without one, time since backups were scheduled',
    async collect() {
      this.remove()
      const state = await read()
      if (state) this.set(backupAge(state, Date.now()) / 1000)
    },
  })
  gauge(registry, {
    name: 'octavo_backup_result',
    help: 'The last scheduled backup: made, failed or unfinished',
    labelNames: ['result'],
    async collect() {
      this.reset()
      const state = await read()
      if (state) this.set({ result: state.result || 'unfinished' }, 1)
    },
  })
  gauge(registry, {
    name: 'octavo_backup_missing_pictures',
    help: 'Lost pictures that the newest scheduled backup lacks',
    async collect() {
      this.remove()
      const state = await read()
      if (state) this.set(state.missing)
    },
  })
}

function addLooks(
  registry: Registry,
  { database, dataDir, clients, backups }: Parameters<Metrics['look']>[0],
): void {
  if (backups) addBackups(registry, database, backups.folder)
  gauge(registry, {
    name: 'octavo_realtime_clients',
    help: 'Connections that hear live updates',
    collect() {
      this.set(clients())
    },
  })
  gauge(registry, {
    name: 'octavo_mails_waiting',
    help: 'Mails in the outbox; processes over one PostgreSQL have one outbox',
    async collect() {
      this.remove()
      // An unreachable database must not hide the other metrics.
      const outbox = await readOutbox(database).catch(() => undefined)
      if (outbox) this.set(outbox.waiting)
    },
  })
  const sizes = folderSizes(dataDir)
  gauge(registry, {
    name: 'octavo_data_bytes',
    help: 'What is in DATA_DIR, by part; counted every ten minutes at most',
    labelNames: ['part'],
    async collect() {
      this.reset()
      for (const [part, bytes] of await sizes().catch(() => [])) this.set({ part }, bytes)
    },
  })
  gauge(registry, {
    name: 'octavo_disk_bytes',
    help: 'The disk of DATA_DIR: its size, and the space free for Octavo',
    labelNames: ['state'],
    async collect() {
      this.reset()
      const disk = await statfs(dataDir).catch(() => undefined)
      if (!disk) return
      this.set({ state: 'total' }, disk.blocks * disk.bsize)
      this.set({ state: 'free' }, disk.bavail * disk.bsize)
    },
  })
}
