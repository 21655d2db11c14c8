import '../node-env.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgres, openSqlite, type Database } from '#records/index.ts'
import { reportReasons } from '#shared/report.ts'
import { readConfig, type Config } from '../config.ts'
import { schemaOf, knownSchema } from '../migrations/migrate.ts'
import { closeReport, findReport, openReports, setHidden, type Report } from './reports.ts'

const usage = `npm run moderate -- <command>, with the server's environment and while it runs or not:
  list               reports that are open
  show <report>      one report
  hide <username>    hides a profile from everybody but its owner
  unhide <username>  shows it again
  close <report>     a report is dealt with`

/** Each takes what was named and answers with what to print. @throws Error in the operator's words */
const deeds: Readonly<Record<string, (database: Database, named: string) => Promise<string>>> = {
  async list(database) {
    const reports = await openReports(database)
    return reports.length > 0 ? reports.map(line).join('\n') : 'No open reports.'
  },
  async show(database, id) {
    const report = await findReport(database, id)
    if (!report) throw new Error(`there is no report ${id}`)
    return inFull(report)
  },
  async hide(database, username) {
    await changed(setHidden(database, username, true), `there is no reader ${username}`)
    return `The profile of ${username} is hidden from everybody but its owner.`
  },
  async unhide(database, username) {
    await changed(setHidden(database, username, false), `there is no reader ${username}`)
    return `The profile of ${username} is shown again, as far as its owner shows it.`
  },
  async close(database, id) {
    await changed(closeReport(database, id, new Date()), `there is no open report ${id}`)
    return `The report ${id} is closed.`
  },
}

const [name = '', named = ''] = process.argv.slice(2)
try {
  const deed = Object.hasOwn(deeds, name) ? deeds[name] : undefined
  if (!deed || (name !== 'list' && !named)) throw new Error(usage)
  const database = await open(readConfig({ ...process.env }))
  try {
    console.log(await deed(database, named))
  } finally {
    await database.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function open({ databaseUrl, dataDir }: Config): Promise<Database> {
  const file = join(dataDir, 'octavo.db')
  if (!databaseUrl && !existsSync(file)) throw new Error(`there is no database at ${file}`)
  const database = databaseUrl ? await openPostgres(databaseUrl) : openSqlite(file)
  // Only a start brings a database up to date; it knows what may go wrong.
  if ((await schemaOf(database)) === knownSchema) return database
  await database.close()
  throw new Error('the database is not of this version; start this Octavo once')
}

async function changed(change: Promise<boolean>, otherwise: string): Promise<void> {
  if (!(await change)) throw new Error(otherwise)
}

function line({ id, reported, reason, created, isHidden }: Report): string {
  const hidden = isHidden ? ' (hidden)' : ''
  return `${id}  ${created.slice(0, 10)}  ${reported}${hidden}: ${reportReasons[reason]}`
}

function inFull(report: Report): string {
  const { id, reporter, reported, reason, details, created, closed, isHidden } = report
  return [
    `Report:   ${id}, of ${created}${closed ? `, closed ${closed}` : ''}`,
    `Profile:  ${reported}${isHidden ? ', hidden' : ''}`,
    `Reporter: ${reporter || 'an account that is gone'}`,
    `Reason:   ${reportReasons[reason]}`,
    ...(details ? ['', printable(details)] : []),
  ].join('\n')
}

/** What strangers wrote must not move the cursor, or more, of the terminal it is read in. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}--[\n\t]]/gv, '\uFFFD')
}
