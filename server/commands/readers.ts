import {
  createInvitation,
  listInvitations,
  revokeInvitation,
  type Invitation,
} from '#server/accounts/invitations.ts'
import { addEntry, loggedCommand } from '#server/admin/log.ts'
import { setProfileHidden } from '#server/moderation/reports.ts'
import { invitationDays } from '#shared/admin.ts'
import { invitationParameter } from '#shared/sign-up.ts'
import { runCommands, type Arguments, type Command } from './command.ts'
import { readConfig, type Config } from '#server/settings/config.ts'
import { listCommand, type Column } from './listing.ts'
import { libraryCommand } from './library-command.ts'
import { openRecords, type CommandLibrary } from '#server/open/open-records.ts'
import { promptLine } from './terminal.ts'
import {
  changeEmail,
  createReader,
  deleteReader,
  resetLink,
  setAdmin,
  setPassword,
  signOut,
  typedPassword,
} from '#server/readers/change-reader.ts'
import { findReader, listReaders, type Reader } from '#server/readers/find.ts'
import { formatCount, readerColumns, readerDetails } from './print-readers.ts'

const now = new Date()

const invitationColumns: readonly Column<Invitation>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'created', value: ({ created }) => created, text: ({ created }) => minute(created) },
  { name: 'expires', value: ({ expires }) => expires, text: ({ expires }) => minute(expires) },
]

/** A command about one reader. @param work returns the text to print */
function readerCommand(
  about: Omit<Command, 'run'>,
  work: (
    library: CommandLibrary,
    reader: Reader,
    given: Arguments,
    config: Config,
  ) => Promise<string>,
): Command {
  return {
    ...about,
    words: ['<name>', ...(about.words ?? [])],
    async run(given) {
      const config = readConfig({ ...process.env })
      await using library = await openRecords(config)
      const reader = await findReader(library.database, given.words[0] ?? '', now)
      console.log(await work(library, reader, given, config))
    },
  }
}

const profileCommand = (isHidden: boolean, about: string, done: string) =>
  libraryCommand({ words: ['<name>'], about }, async (database, { words: [name = ''] }) => {
    const { username } = await findReader(database, name, now)
    await loggedCommand(database, isHidden ? 'hide' : 'unhide', username, () =>
      setProfileHidden(database, username, isHidden),
    )
    return `The profile of ${username} ${done}`
  })

const adminCommand = (isAdmin: boolean, about: string, done: string) =>
  readerCommand({ about }, async (library, reader) => {
    await loggedCommand(
      library.database,
      isAdmin ? 'makeAdmin' : 'removeAdmin',
      reader.username,
      () => setAdmin(library.records, reader, isAdmin),
    )
    return `${reader.username} ${done}`
  })

const invite = libraryCommand(
  {
    about: 'Prints a link that lets one person sign up.',
    options: {
      days: {
        type: 'string',
        value: 'number',
        about: `how long it works; ${invitationDays.usual} by default`,
      },
    },
  },
  async (database, { options }, config) => {
    const { id, key, expires } = await createInvitation(database, daysOf(options['days']), now)
    await addEntry(database, { actor: '', act: 'invite', subject: id }, now)
    if (config.signUps === 'open')
      console.error('SIGN_UPS is open: anyone can sign up without an invitation.')
    if (config.signUps === 'closed')
      console.error('SIGN_UPS is closed: the invitation only works once it is set to invitation.')
    const link = `${config.appUrl}/signup?${invitationParameter}=${key}`
    return handOut(link, expires, config, `Withdraw it with: npm run readers -- uninvite ${id}`)
  },
)

await runCommands((name) => `npm run readers -- ${name}`, {
  list: listCommand(
    { about: 'Lists all readers.', empty: 'There are no readers yet.', columns: readerColumns },
    (database) => listReaders(database, now),
  ),
  show: libraryCommand(
    { words: ['<name>'], about: 'Shows one reader, by username or email.' },
    async (database, { words: [name = ''] }, { planDefault }) =>
      readerDetails(await findReader(database, name, now), planDefault),
  ),
  create: {
    words: ['<username>', '<email>'],
    about: 'Creates an account. Its password is typed or read from standard input.',
    options: { name: { type: 'string', value: 'name', about: 'the name that others see' } },
    failure: 'Nobody was added',
    async run({ words: [username = '', email = ''], options }) {
      await using library = await openRecords(readConfig({ ...process.env }))
      const password = await newPassword('Password:')
      const name = String(options['name'] ?? '')
      const made = await createReader(library.records, { username, email, name, password })
      await addEntry(library.database, { actor: '', act: 'create', subject: made.username }, now)
      console.log(`Added ${made.username}, who signs in as ${made.email}.`)
    },
  },
  delete: readerCommand(
    {
      about: 'Deletes an account and everything in it, as its reader can.',
      options: { yes: { type: 'boolean', about: 'without asking first' } },
      failure: 'Nothing was deleted',
    },
    async (library, reader, { options }) => {
      const { username, email, books } = reader
      if (!options['yes']) {
        const answer = await promptLine(
          `This permanently deletes the account of ${username} (${email}) with ${formatCount(books, 'book')}.\nType the username to confirm:`,
        )
        if (answer.trim().toLowerCase() !== username) throw new Error('that is not the username')
      }
      await loggedCommand(library.database, 'delete', username, () =>
        deleteReader(library.records, reader),
      )
      return `Deleted the account of ${username}.`
    },
  ),
  'reset-link': readerCommand(
    { about: 'Prints a link to set a new password. It works once and expires after 30 minutes.' },
    async (library, reader, _, config) => {
      const { link, expires } = await loggedCommand(
        library.database,
        'resetLink',
        reader.username,
        () => resetLink(library.records, reader, config.appUrl),
      )
      return handOut(link, expires, config)
    },
  ),
  'set-password': readerCommand(
    {
      about: 'Sets a new password, typed or read from standard input.',
      failure: 'The password was not changed',
    },
    async (library, reader) => {
      const password = await newPassword('New password:')
      await loggedCommand(library.database, 'setPassword', reader.username, () =>
        setPassword(library.records, reader, password),
      )
      return `Changed the password of ${reader.username} and signed them out everywhere.`
    },
  ),
  'change-email': readerCommand(
    {
      words: ['<email>'],
      about: 'Changes the email that an account signs in with.',
      failure: 'The email was not changed',
    },
    async (library, reader, { words: [, email = ''] }) => {
      const changed = await loggedCommand(library.database, 'changeEmail', reader.username, () =>
        changeEmail(library.records, reader, email),
      )
      return `${reader.username} now signs in as ${changed}, and was signed out everywhere.`
    },
  ),
  'sign-out': readerCommand(
    { about: 'Signs a reader out everywhere and forgets trusted devices.' },
    async (library, reader) => {
      await loggedCommand(library.database, 'signOut', reader.username, () =>
        signOut(library.records, reader),
      )
      return `Signed ${reader.username} out everywhere (${formatCount(reader.sessions, 'session')}).`
    },
  ),
  admin: adminCommand(
    true,
    'Makes a reader an administrator of the site.',
    'administers the site.',
  ),
  unadmin: adminCommand(
    false,
    'Makes an administrator a reader like any other.',
    'is a reader like any other.',
  ),
  hide: profileCommand(
    true,
    'Hides a profile from everyone but its owner.',
    'is hidden from everyone but its owner.',
  ),
  unhide: profileCommand(
    false,
    'Shows a hidden profile again.',
    'is visible again, as far as its owner allows.',
  ),
  invite: {
    ...invite,
    async run(given) {
      daysOf(given.options['days'])
      return invite.run(given)
    },
  },
  invitations: listCommand(
    { about: 'Lists open invitations.', empty: 'No open invitations.', columns: invitationColumns },
    (database) => listInvitations(database, now),
  ),
  uninvite: libraryCommand(
    { words: ['<id>'], about: 'Withdraws an invitation.' },
    async (database, { words: [id = ''] }) => {
      await loggedCommand(database, 'uninvite', id, async () => {
        if (!(await revokeInvitation(database, id, now)))
          throw new Error(`there is no open invitation ${id}`)
      })
      return `Withdrew the invitation ${id}.`
    },
  ),
})

/** @throws if it is too short, too long, or typed differently the second time */
async function newPassword(question: string): Promise<string> {
  const password = typedPassword(await promptLine(question, true))
  if (process.stdin.isTTY && (await promptLine('Repeat it:', true)) !== password)
    throw new Error('the two passwords differ')
  return password
}

function daysOf(given: Arguments['options'][string]): number {
  if (given === undefined) return invitationDays.usual
  const days = typeof given === 'string' && /^\d{1,3}$/.test(given) ? Number(given) : 0
  if (days < 1 || days > invitationDays.most)
    throw new Error(`--days must be a whole number from 1 to ${invitationDays.most}`)
  return days
}

/** Prints a link to pass on: only the link goes to standard output. */
function handOut(link: string, expires: Date, config: Config, more?: string): string {
  console.error(`Works once, until ${minute(expires)}.${more ? ` ${more}` : ''}`)
  if (!config.appUrlGiven)
    console.error('APP_URL is not set: on another device, put the address it uses in the link.')
  return link
}

function minute(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
