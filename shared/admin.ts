import type { Page } from './directory.ts'
import type { ImportFormat, ImportState } from './import.ts'
import type { ReportReason } from './report.ts'

/** Rows per page of the administrator's lists. */
export const adminPageSize = 50

/** The orders of readers. */
export const adminReaderSorts = ['newest', 'name'] as const
export type AdminReaderSort = (typeof adminReaderSorts)[number]

/** Minutes for which a confirmed password lets an administrator act. */
export const confirmedMinutes = 15

/** The days an invitation works: by default, and at most. */
export const invitationDays = { usual: 7, most: 365 } as const

/** What is done to readers and the site, as in the log. */
export const adminActs = [
  'resetLink',
  'signOut',
  'hide',
  'unhide',
  'delete',
  'invite',
  'uninvite',
  'closeReport',
  'testMail',
  'create',
  'setPassword',
  'changeEmail',
  'makeAdmin',
  'removeAdmin',
] as const
export type AdminAct = (typeof adminActs)[number]

/** A reader as administrators see them: numbers, and nothing that the reader wrote but the name. */
export interface AdminReader {
  username: string
  email: string
  name: string
  isVerified: boolean
  since: string
  /** '' if never. */
  seen: string
  books: number
  /** Bytes of pictures. */
  space: number
  /** Open sessions. */
  sessions: number
  isPrivate: boolean
  isHidden: boolean
  isAdmin: boolean
}
export type AdminReaders = Page<AdminReader>

export interface AdminInvitation {
  id: string
  created: string
  expires: string
}

export interface AdminReport {
  id: string
  /** '' once the account is deleted. */
  reporter: string
  reported: string
  reason: ReportReason
  details: string
  created: string
  isHidden: boolean
}

/** Work in the background: each import under way, and how much waits of everything else. */
export interface AdminJobs {
  imports: {
    id: string
    /** The reader's. */
    username: string
    format: ImportFormat | ''
    state: ImportState
    /** Rows. */
    total: number
    /** Rows that have been applied or skipped. */
    done: number
    created: string
  }[]
  waiting: Record<'books' | 'devices' | 'webhooks' | 'mails', number>
}

/** One thing that `npm run doctor` checks. */
export interface AdminCheck {
  name: string
  isWell: boolean
  /** In English, as the command says it. */
  message: string
  /** What to do; '' if it is well. */
  advice: string
}

export interface AdminSite {
  version: string
  node: string
  /** The number of the schema's last step. */
  schema: number
  database: 'SQLite' | 'PostgreSQL'
  signUps: 'open' | 'invitation' | 'closed'
  /** The names of the configured sign-in providers. */
  providers: string[]
  readers: number
  /** The scheduled backups; null if there are none. Times are '' if there was none. */
  backup: {
    made: string
    attempted: string
    result: '' | 'made' | 'failed'
    failure: string
  } | null
  mails: {
    waiting: number
    /** Of these, how many could not be delivered at least once. */
    failed: number
    /** When the oldest was written; '' if none waits. */
    oldest: string
    /** Whether there is a mail server; without one, mails are files. */
    hasServer: boolean
  }
}

export interface AdminLogEntry {
  id: string
  at: string
  /** The administrator's username then; '' for a command of the operator. */
  actor: string
  act: AdminAct
  /** A reader's username then, or the id of an invitation or report. */
  subject: string
}
