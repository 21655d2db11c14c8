import './node-env.ts'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { openCatalogue, withSources, type World } from '#catalogue/index.ts'
import { openPostgres, openSqlite, type Database } from '#records/index.ts'
import { createApp, type App } from './app.ts'
import { openProvider } from './billing/provider.ts'
import { openTogether, rankByShelves } from './catalogue/public-shelves.ts'
import { worldOptions } from './catalogue/world-options.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { openDataFolder, readSecret, StartError, throwawayFolder } from './data-folder.ts'
import { fillDemo } from './demo.ts'
import { trustsEverybody } from './http/client-address.ts'
import { drained } from './http/drained.ts'
import { insistOnHttps } from './http/headers.ts'
import { openLog } from './log.ts'
import { migrate } from './migrations/migrate.ts'
import { builtWeb, developmentWeb } from './web-build.ts'

const { values: options } = parseArgs({
  options: { dev: { type: 'boolean' }, demo: { type: 'boolean' } },
})

try {
  // Sample readers go into a folder that is gone afterwards, or the one that was asked for.
  const env = { ...process.env }
  if (options.demo) {
    env['DATABASE_URL'] = ''
    if (!env['DATA_DIR']) env['DATA_DIR'] = throwawayFolder()
  }
  await start(readConfig(env))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  console.error(`Octavo cannot start: ${message.replaceAll(/\s*\n\s*/g, ' ')}`)
  // Mistakes of the operator are said in full by their message; anything else is ours to find.
  if (!(error instanceof ConfigError || error instanceof StartError)) console.error(error)
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const log = openLog(config.logLevel)
  // A mistake in one corner must not end what everybody else is doing.
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'a failure that nobody waited for'),
  )
  const folder = openDataFolder(config.dataDir)
  const secret = readSecret(config.dataDir, config.secret)
  // The port is taken before anything is built, so that a busy one is known at once.
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 120_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 5_000,
  })
  server.on('request', answerStarting)
  const port = await listen(server, config)
  if (!config.appUrlGiven) config.appUrl = `http://localhost:${port}`

  if (config.stripeIncomplete)
    log.warn('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are not both set: there are no payments')
  if (trustsEverybody(config.trustProxy))
    log.warn('TRUST_PROXY believes every address: who connects says themselves who they are')

  const web = await (options.dev ? developmentWeb(server) : builtWeb())
  const database = await openDatabase(config)
  await migrate(database)
  const catalogue = withSources(await openCatalogue({ folder: config.dataDir }), {
    ...worldOptions(config),
    log,
  })
  const together = openTogether(database)
  const provider = config.stripe && (await openProvider(config.stripe))
  const app = createApp({ provider, together, config, secret, database, catalogue, web, log })
  if (options.demo) await greetDemo(database, catalogue, app, config.appUrl)
  const stopRanking = rankByShelves(catalogue, together, log)

  const answer = getRequestListener(app.fetch)
  const insist = insistOnHttps(config.appUrl)
  // By connection: to listen to each answer's end would take longer than some answers.
  const latest = new Map<Socket, ServerResponse>()
  server.on('connection', (socket) => socket.once('close', () => latest.delete(socket)))
  server.off('request', answerStarting)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    insist(response)
    latest.set(request.socket, response)
    if (web.middleware) web.middleware(request, response, () => void answer(request, response))
    else void answer(request, response)
  })
  onStop(async () => {
    const closed = drained(server, latest.values())
    await app.close()
    await closed
    await web.close?.()
    stopRanking()
    await catalogue.close()
    await database.close()
    folder.release()
  })
  // Said last: whoever reads it may already stop us again.
  console.log(`Octavo is ready: ${config.appUrl}`)
}

/** Fills an empty demo with sample readers, and says how to sign in as one of them. */
async function greetDemo(database: Database, catalogue: World, { records }: App, appUrl: string) {
  const isNew = (await database.query('SELECT 1 FROM users LIMIT 1')).length === 0
  if (!isNew) return console.log('There are readers already: no sample readers are added')
  const { email, password } = await fillDemo(records, catalogue)
  console.log(`Sign in as ${email} with the password ${password}`)
  console.log(`The code that is mailed then is shown at ${appUrl}/mailbox`)
}

/** Until everything is open: come back in a moment. */
function answerStarting(_request: IncomingMessage, response: ServerResponse): void {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '2' }
  response.writeHead(503, headers).end('Octavo is starting. Please try again in a moment.\n')
}

/** @throws StartError if the port is taken or not allowed */
async function listen(server: Server, { port, host }: Config): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartError(
          error.code === 'EADDRINUSE'
            ? `Port ${port} is in use; choose another with PORT=${port + 1}`
            : `Port ${port} cannot be opened: ${error.message}${portAdvice(error.code)}`,
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
  return (server.address() as AddressInfo).port
}

function portAdvice(code: string | undefined): string {
  if (code === 'EACCES') return '; choose one above 1023 with PORT'
  const isElsewhere = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
  return isElsewhere ? '; HOST must be an address of this machine' : ''
}

/** @throws StartError in words an operator can act on */
async function openDatabase({ databaseUrl, dataDir }: Config): Promise<Database> {
  try {
    return databaseUrl ? await openPostgres(databaseUrl) : openSqlite(join(dataDir, 'octavo.db'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const advice = databaseAdvice(reason, databaseUrl)
    throw new StartError(`The database cannot be opened: ${reason || 'no answer'}${advice}`)
  }
}

function databaseAdvice(reason: string, databaseUrl: string | undefined): string {
  if (/damaged|malformed|not a database/.test(reason))
    return '. Move the data folder away and restore a backup: npm run restore -- <backup>'
  return databaseUrl ? '. Check DATABASE_URL, and that its server runs' : ''
}

/** Runs the work at the first SIGTERM or SIGINT and exits with 0; the second exits at once. */
function onStop(work: () => Promise<void>): void {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    work().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
