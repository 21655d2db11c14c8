import * as z from 'zod'
import { nameText } from './form-fields.ts'
import { refusal, rule } from './rule.ts'
import { isWebAddress } from './webhook.ts'

/** What a connection speaks. */
export const connectionKinds = ['koreader', 'highlights', 'audiobookshelf', 'readwise'] as const
export type ConnectionKind = (typeof connectionKinds)[number]

/** Services that Octavo asks at regular times, in place of devices that send by themselves. */
export const serviceKinds = ['audiobookshelf', 'readwise'] as const satisfies ConnectionKind[]

/** A connection that signs in by itself: an e-reader, or an app that exports highlights. */
export type DeviceKind = Exclude<ConnectionKind, (typeof serviceKinds)[number]>

/** @returns whether a connection is to a service that Octavo asks */
export const isService = (kind: string): boolean => serviceKinds.some((service) => service === kind)

/**
 * Why a service couldn't be read: it refuses the token, can't be reached, asks to be left alone,
 * takes too long, sends too much, or speaks otherwise than it should.
 */
export const connectionProblems = [
  'token',
  'away',
  'busy',
  'slow',
  'tooLarge',
  'malformed',
] as const
export type ConnectionProblem = (typeof connectionProblems)[number]

/** The most connections of one reader. */
export const maxConnections = 50

/** The most books that a reader's devices are remembered for. */
export const maxDeviceBooks = 5000

/** The most bytes of a file that a device keeps here, and the most files and folders of a reader. */
export const maxDeviceFile = { bytes: 100 * 1024 * 1024, count: 500 }

/** The most page times of one reader: 50 pages a day take 27 years to get there. */
export const maxPageTimes = 500_000

/** The most listening sessions of one reader, and the most times that one book is finished. */
export const maxListeningSessions = 100_000
export const maxFinishes = 100

/** Days for which pushes of an unknown book are kept, to be applied once the reader names it. */
export const pushDays = 30

/** A device or an app that sends a reader's page by itself. */
export interface Connection {
  id: string
  user: string
  kind: ConnectionKind
  name: string
  /** '' until it has signed in, or been read. */
  last_used: string
  paused: boolean
  created: string
  /** A service's; '' for devices. */
  address: string
  /** Whether the reader's quotes are sent there, too. */
  sends: boolean
  /** Why the service couldn't be read last; '' if it could. */
  problem: ConnectionProblem | ''
}

/** A connection as the answer to its creation has it, which alone shows how to sign in with it. */
export interface NewConnection extends Connection {
  username: string
  password: string
}

/** A file that a device reads, and which of the reader's books it is. */
export interface DeviceBook {
  id: string
  user: string
  /** '' once the connection is revoked. */
  connection: string
  /** What the device calls the file, such as a hash of it. */
  document: string
  title: string
  authors: string[] | null
  filename: string
  device: string
  /** How far the device is, 0 to 1. */
  percentage: number
  /** When it said so; '' for a file whose highlights alone came, and have found their book. */
  pushed: string
  /** The reader's book; '' until they have said which it is. */
  book_key: string
  /** The key of a book that it may be; '' for none. */
  proposal: string
  /** Whether the reader doesn't want to be asked about it. */
  ignored: boolean
}

export const connectionForm = z.object({
  name: nameText,
  kind: z.enum(connectionKinds),
})

/** What else a reader says of a service. */
export const serviceForm = z.object({
  address: z
    .string()
    .trim()
    .max(500, rule('webhookAddress'))
    .refine(isWebAddress, refusal('webhookAddress'))
    .transform((address) => {
      const { origin, pathname } = new URL(address)
      return origin + pathname.replace(/\/+$/, '')
    }),
  // As a header can have it.
  token: z
    .string()
    .trim()
    .min(1, rule('required'))
    .max(2000, rule('charactersAtMost'))
    .regex(/^[\x21-\x7e]+$/, rule('connectionToken')),
})
