import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { openCatalogue, withSources, type FederatedCatalogue } from '#catalogue/index.ts'
import { meter, type Database } from '#records/index.ts'
import { createApp, type App } from '#server/app.ts'
import { openProvider } from '#server/billing/provider.ts'
import { openCoReads, rankByShelves } from '#server/catalogue/public-shelves.ts'
import { catalogueOptions } from '#server/catalogue/catalogue-options.ts'
import { scheduleBackups } from '#server/backup/schedule.ts'
import type { Config } from '#server/settings/config.ts'
import {
  markBucketUsed,
  markPostgresUsed,
  readSecret,
  requireKnownDatabase,
  requireKnownPictures,
  StartError,
} from '#server/storage/data-folder.ts'
import { fillDemo } from '#server/demo/demo.ts'
import { openDisk } from '#server/runtime/disk.ts'
import { publicAddressCheck, trustsEveryProxy } from '#server/network/client-address.ts'
import { openServer } from '#server/http/connections.ts'
import { drain } from '#server/http/drain.ts'
import { requireHttps } from '#server/http/headers.ts'
import { unreadableRequest } from '#server/http/node-errors.ts'
import { routePatterns } from '#server/http/route-pattern.ts'
import { watchRequests } from '#server/http/watch-requests.ts'
import { collectWhenIdle } from '#server/runtime/idle-memory.ts'
import type { JobRunner } from '#server/runtime/jobs.ts'
import { openLog } from '#server/runtime/log.ts'
import { mailboxLink } from '#server/mail/mailbox.ts'
import { knownSchema } from '#server/migrations/migrate.ts'
import { startMetricsServer } from '#server/metrics/metrics-server.ts'
import type { Metrics } from '#server/metrics/metrics.ts'
import { warnIfUnreachable } from '#server/health/services.ts'
import { openDatabase } from './open-database.ts'
import { localAddresses } from '#server/network/local-network.ts'
import { onStop } from '#server/runtime/signals.ts'
import { version } from '#server/runtime/version.ts'
import { builtWeb, developmentWeb } from '#server/pages/web-build.ts'

/** Milliseconds within which the proxies of docs/examples notice that a process stops. */
const noticedWithin = 3000

/**
 * Opens everything and answers requests, until the process is told to stop.
 *
 * @param config its `appUrl` is completed with the port if the system chose it
 * @param folder the locked data folder; unlocked at the end
 * @throws StartError in words an operator can act on
 */
export async function serve(
  config: Config,
  folder: Disposable,
  options: { demo: boolean; dev: boolean },
): Promise<void> {
  const log = openLog(config.logLevel)
  const kind = config.databaseUrl ? 'PostgreSQL' : 'SQLite'
  log.info(
    { version, schema: knownSchema, node: process.versions.node, database: kind },
    `Octavo ${version} starts`,
  )
  console.log(`Octavo ${version}`)
  // One failed promise must not end everybody's requests.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  requireKnownDatabase(config)
  requireKnownPictures(config)
  const secret = readSecret(config.dataDir, config.secret)
  const server = openServer(() => config.appUrl)
  // Find out at once whether the port is taken, but accept nobody before everything is open, so
  // that a proxy asks another process. Nobody knows a port that the system chooses.
  if (config.port > 0) await tryPort(config)
  const port = config.port || (await listen(server, config))
  if (!config.appUrlGiven) config.appUrl = `http://localhost:${port}`

  if (trustsEveryProxy(config.trustProxy))
    log.warn('TRUST_PROXY trusts every address, so any client can claim to be another')

  if (!config.links.contactEmail)
    log.info('PUBLIC_CONTACT_EMAIL is not set: readers see no contact address')
  warnIfUnreachable(config, log)

  const web = await (options.dev ? developmentWeb(server) : builtWeb())
  const metrics = config.metrics && (await loadMetrics(kind))
  const opened = await openDatabase(config, log)
  const database = metrics?.timed(opened) ?? opened
  // Leave an `octavo.db` that was never moved usable: the operator may only be trying PostgreSQL.
  if (config.databaseUrl && !existsSync(join(config.dataDir, 'octavo.db')))
    markPostgresUsed(config.dataDir, config.databaseUrl)
  if (config.s3 && !markBucketUsed(config.dataDir, config.s3))
    log.warn(
      `Pictures are read from the bucket of S3_BUCKET, but there are some in ${join(config.dataDir, 'files')}: copy them into the bucket, then move the folder away`,
    )
  const sourceLog = {
    info: (message: string) => log.info(message),
    warn: (message: string) => log.warn(message),
    ...(metrics && { asked: metrics.source }),
  }
  const catalogue = withSources(await openCatalogue({ folder: config.dataDir, meter }), {
    ...catalogueOptions(config),
    log: sourceLog,
  })
  const coReads = openCoReads(database)
  const provider = config.stripe && (await openProvider(config.stripe))
  const disk = openDisk(config.dataDir, database, log)
  const watch = watchRequests(config, log, routePatterns(await web.load()), metrics?.request)
  const app = createApp({
    watch,
    sourceLog,
    provider,
    coReads,
    config,
    secret,
    database,
    catalogue,
    disk,
    web,
    log,
  })
  if (options.demo) await greetDemo(database, catalogue, app)
  const ranking = rankByShelves(catalogue, coReads, log)

  const answer = getRequestListener(app.fetch, { errorHandler: unreadableRequest })
  const insist = requireHttps(config.appUrl)
  const checkAddress = publicAddressCheck(config, (warning) => log.warn(warning))
  // By connection: listening for the end of each response would take longer than some responses.
  const latest = new Map<Socket, ServerResponse>()
  const collector = collectWhenIdle()
  server.on('connection', (socket) => socket.once('close', () => latest.delete(socket)))
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    collector.refresh()
    insist(response)
    checkAddress(request)
    latest.set(request.socket, response)
    const work = () => {
      if (web.middleware) web.middleware(request, response, () => void answer(request, response))
      else void answer(request, response)
    }
    if (watch) watch.answer(request, response, work)
    else work()
  })
  metrics?.look({
    database: opened,
    dataDir: config.dataDir,
    clients: () => app.records.liveClients(),
    backups: config.backups,
  })
  const closeDoor =
    metrics && config.metrics && (await startMetricsServer(config.metrics, metrics, log))
  let schedule: JobRunner | undefined
  onStop(async () => {
    await closeDoor?.()
    // Only one of several processes has others that a proxy can turn to.
    const idle = config.databaseUrl && config.trustProxy.length ? noticedWithin : 0
    if (idle) {
      app.announceStop()
      // Caddy learns from /api/ready who stops, and loses a body that it sends to a closed port.
      await setTimeout(idle)
    }
    const closed = Promise.all([drain(server, latest.values(), idle), schedule?.close()])
    await app.close()
    await closed
    await web.close?.()
    // What it counts isn't waited for: the next start counts it anew.
    void ranking.close()
    await catalogue.close()
    disk.close()
    await database.close()
    folder[Symbol.dispose]()
    log.info('Octavo has stopped')
  })
  if (config.port > 0) await listen(server, config)
  const { backups } = config
  if (backups) schedule = scheduleBackups({ ...config, backups }, opened, log)
  else log.info('BACKUP_TO is not set: no backups are scheduled')
  const mailLink = mailboxLink(config, secret)
  if (mailLink) console.log(`Emails stay on this machine. Read them at ${config.appUrl}${mailLink}`)
  for (const url of config.appUrlGiven || config.host ? [] : localAddresses(port))
    console.log(`On other devices: ${url}${mailLink ? ` (emails at ${url}${mailLink})` : ''}`)
  // Printed last: whoever waits for this line may stop the server at once.
  console.log(`Octavo is ready: ${config.appUrl}`)
}

/** Loads the metrics only where they are configured. */
async function loadMetrics(engine: string): Promise<Metrics> {
  const { openMetrics } = await import('#server/metrics/metrics.ts')
  return openMetrics(engine)
}

/** Fills an empty demo with sample readers and prints how to sign in as one of them. */
async function greetDemo(database: Database, catalogue: FederatedCatalogue, { records }: App) {
  const isNew = (await database.query('SELECT 1 FROM users LIMIT 1')).length === 0
  if (!isNew) return console.log('The library has readers already; no sample readers were added')
  const { email, password } = await fillDemo(records, catalogue)
  console.log(`Sign in as ${email} with the password ${password}`)
}

/**
 * Binds the port without listening. If it listened and closed again, the kernel would reset
 * connections that a proxy opened in between.
 *
 * @throws StartError if the port is taken or not allowed
 */
async function tryPort({ port, host = '0.0.0.0' }: Config): Promise<void> {
  // Node 24 may lack BoundSocket; then a taken port is noticed when it is opened.
  if (!('BoundSocket' in net)) return
  try {
    new net.BoundSocket({ port, host: (await lookup(host)).address }).close()
  } catch (error) {
    throw portError(error as NodeJS.ErrnoException, port)
  }
}

/** @throws StartError if the port is taken or not allowed */
async function listen(server: Server, { port, host }: Config): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portError(error, port)))
    server.listen(port, host, resolve)
  })
  return (server.address() as AddressInfo).port
}

function portError({ code, message }: NodeJS.ErrnoException, port: number): StartError {
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} is in use; choose another with PORT=${port + 1}`)
  return new StartError(`Port ${port} cannot be opened: ${message}${portAdvice(code)}`)
}

function portAdvice(code: string | undefined): string {
  if (code === 'EACCES') return '; choose one above 1023 with PORT'
  const isElsewhere = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
  return isElsewhere ? '; HOST must be an address of this machine' : ''
}
