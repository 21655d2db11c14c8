import { reportReasons } from '#shared/report.ts'
import type { Database } from '#records/index.ts'
import { loggedCommand } from '#server/admin/log.ts'
import { runCommands, type Command } from './command.ts'
import { listCommand, type Column } from './listing.ts'
import { libraryCommand } from './library-command.ts'
import {
  closeReport,
  findReport,
  listOpenReports,
  setProfileHidden,
  type Report,
} from '#server/moderation/reports.ts'

const columns: readonly Column<Report>[] = [
  { name: 'report', value: ({ id }) => id },
  { name: 'created', value: ({ created }) => new Date(created) },
  {
    name: 'username',
    value: ({ reported }) => reported,
    text: ({ reported, isHidden }) => `${reported}${isHidden ? ' (hidden)' : ''}`,
  },
  { name: 'reason', value: ({ reason }) => reason, text: ({ reason }) => reportReasons[reason] },
  { name: 'reporter', value: ({ reporter }) => reporter, text: null },
  { name: 'hidden', value: ({ isHidden }) => isHidden, text: null },
]

/** @param work returns the text to print */
function command(
  word: string,
  about: string,
  work: (database: Database, named: string) => Promise<string>,
): Command {
  return libraryCommand({ words: [word], about }, (database, { words: [named = ''] }) =>
    work(database, named),
  )
}

await runCommands((name) => `npm run moderate -- ${name}`, {
  list: listCommand(
    { about: 'Lists open reports.', empty: 'No open reports.', columns },
    listOpenReports,
  ),
  show: command('<report>', 'Shows one report.', async (database, id) => {
    const report = await findReport(database, id)
    if (!report) throw new Error(`there is no report ${id}`)
    return inFull(report)
  }),
  hide: command(
    '<username>',
    'Hides a profile from everyone but its owner.',
    async (database, username) => {
      await loggedCommand(database, 'hide', username.toLowerCase(), () =>
        changed(setProfileHidden(database, username, true), `there is no reader ${username}`),
      )
      return `The profile of ${username} is hidden from everyone but its owner.`
    },
  ),
  unhide: command('<username>', 'Shows a hidden profile again.', async (database, username) => {
    await loggedCommand(database, 'unhide', username.toLowerCase(), () =>
      changed(setProfileHidden(database, username, false), `there is no reader ${username}`),
    )
    return `The profile of ${username} is visible again, as far as its owner allows.`
  }),
  close: command('<report>', 'Closes a report.', async (database, id) => {
    const report = await findReport(database, id)
    if (!report) throw new Error(`there is no open report ${id}`)
    await loggedCommand(database, 'closeReport', report.reported, () =>
      changed(closeReport(database, id, new Date()), `there is no open report ${id}`),
    )
    return `Closed the report ${id}.`
  }),
})

async function changed(change: Promise<boolean>, otherwise: string): Promise<void> {
  if (!(await change)) throw new Error(otherwise)
}

function inFull(report: Report): string {
  const { id, reporter, reported, reason, details, created, closed, isHidden } = report
  return [
    `Report:   ${id}, of ${created}${closed ? `, closed ${closed}` : ''}`,
    `Profile:  ${reported}${isHidden ? ', hidden' : ''}`,
    `Reporter: ${reporter || 'a deleted account'}`,
    `Reason:   ${reportReasons[reason]}`,
    ...(details ? ['', printable(details)] : []),
  ].join('\n')
}

/** Removes control characters: text by strangers must not control the operator's terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}--[\n\t]]/gv, '\uFFFD')
}
