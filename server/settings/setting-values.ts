import * as z from 'zod'
import { isNetwork } from '#server/network/client-address.ts'

/** Characters of the key that signs sessions, at least. */
export const minSecretLength = 32

/** A switch. */
export const onOff = z.enum(['on', 'off'], 'must be on or off')

/** Any text, or none. */
export const text = z.string().optional()

/**
 * Marks a setting as a secret: no message repeats its value, and `NAME_FILE` can name a file that
 * holds it.
 */
export const secret = <T extends z.ZodType>(setting: T): T => setting.meta({ isSecret: true })

/** A URL with one of the given schemes. */
export const address = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (value) =>
        schemes.some((s) => value.startsWith(`${s}//`)) &&
        (!value.startsWith('http') || URL.canParse(value)),
      `must be an address starting with ${schemes.map((s) => `${s}//`).join(' or ')}`,
    )

/** Advice for addresses that contain a password. */
const encoded = 'in a password, write @ : / ? # and % as %40 %3A %2F %3F %23 and %25'
/** An SMTP server's URL. */
export const mailServer = address('smtp:', 'smtps:').refine((value) => URL.parse(value)?.hostname, {
  message: `must name a host, as in smtp://user:password@host:587; ${encoded}`,
})
/** A PostgreSQL database's URL. */
export const databaseServer = address('postgres:', 'postgresql:').refine(
  // A database URL may have no host: it is then in `?host=`, or it is this machine.
  (value) => URL.canParse(value.replace('@/', '@localhost/')),
  `must look like postgres://user:password@host/database; ${encoded}`,
)
/** A web address, without slashes at its end. */
export const web = address('http:', 'https:').transform((value) => value.replace(/\/+$/, ''))

/** An OpenID provider's issuer. Its tokens repeat it to the letter, so a slash at the end stays. */
export const issuer = address('http:', 'https:').optional()
/** What readers call a provider, on a button. */
export const providerName = z.string().max(40, 'must have at most 40 characters').optional()

/** A host and a port; a port alone means loopback. */
export const metricsAddress = z
  .string()
  .regex(/^(?:[^\s:/]+:|\[[\da-f:]+\]:)?\d{1,5}$/i, 'must look like 127.0.0.1:9464')
  .transform((value) => {
    const [, host = '127.0.0.1', port] = /^(?:\[?(.+?)\]?:)?(\d+)$/.exec(value) ?? []
    return { host, port: Number(port) }
  })
  .refine(({ port }) => port <= 65_535, 'must have a port up to 65535')

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time such as `30m`, `24h` or `7d`; in milliseconds. */
export const duration = z
  .string()
  .regex(/^[1-9]\d{0,3}[mhd]$/, 'must be a number of minutes, hours or days, as in 30m, 24h or 7d')
  .transform((value) => Number.parseInt(value, 10) * units[value.at(-1) as keyof typeof units])

/** A list, separated by commas. */
export const words = z.string().transform((value) =>
  value
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean),
)

/** A list of networks. */
export const networks = words.pipe(
  z.array(z.string().refine(isNetwork, 'must be a list of networks such as 10.0.0.0/8')),
)
