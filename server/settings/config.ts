import { resolve } from 'node:path'
import * as z from 'zod'
import type { OAuth2Provider } from '#records/index.ts'
import { parseTestimonials } from '#shared/testimonial.ts'
import { externalSources } from '#shared/book.ts'
import { signUpModes } from '#shared/sign-up.ts'
import { isLoopback, isLoopbackHost } from '#server/network/client-address.ts'
import { readSecretFiles } from './secret-files.ts'
import {
  address,
  databaseServer,
  duration,
  issuer,
  mailServer,
  metricsAddress,
  minSecretLength,
  networks,
  onOff,
  providerName,
  secret,
  text,
  web,
  words,
} from './setting-values.ts'

/** An invalid environment; the message is one line that names every invalid variable. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const environment = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number from 0 to 65535')
    .transform(Number)
    .refine((port) => port <= 65_535, 'must be a whole number from 0 to 65535')
    .default(3000),
  HOST: text,
  APP_URL: address('http:', 'https:')
    .refine(
      (value) => /^\/?$/.test(URL.parse(value)?.pathname ?? '') && !/[?#@]/.test(value),
      'must be the address of the site, without a path',
    )
    .transform((value) => URL.parse(value)?.origin ?? value)
    .optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: secret(databaseServer.optional()),
  DATABASE_DIRECT_URL: secret(databaseServer.optional()),
  SECRET: secret(
    z.string().min(minSecretLength, `must have at least ${minSecretLength} characters`).optional(),
  ),
  SMTP_URL: secret(mailServer.optional()),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>@\r\n]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'must be an email address, or a name and an address as in Octavo <octavo@example.org>',
    )
    .optional(),
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: secret(text),
  GOOGLE_ISSUER: web.default('https://accounts.google.com'),
  OIDC_NAME: providerName,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: secret(text),
  OIDC_TRUST_EMAIL: onOff.default('off'),
  OIDC2_NAME: providerName,
  OIDC2_ISSUER: issuer,
  OIDC2_CLIENT_ID: text,
  OIDC2_CLIENT_SECRET: secret(text),
  OIDC2_TRUST_EMAIL: onOff.default('off'),
  OIDC3_NAME: providerName,
  OIDC3_ISSUER: issuer,
  OIDC3_CLIENT_ID: text,
  OIDC3_CLIENT_SECRET: secret(text),
  OIDC3_TRUST_EMAIL: onOff.default('off'),
  STRIPE_SECRET_KEY: secret(text),
  STRIPE_WEBHOOK_SECRET: secret(text),
  STRIPE_API_URL: web.default('https://api.stripe.com'),
  CATALOGUE_SOURCES: words
    .pipe(
      z.array(z.enum(externalSources, `must be a list of ${externalSources.join(', ')}, or empty`)),
    )
    .default([...externalSources]),
  OPENLIBRARY_URL: web.default('https://openlibrary.org'),
  OPENLIBRARY_COVERS_URL: web.default('https://covers.openlibrary.org'),
  GOOGLE_BOOKS_URL: web.default('https://www.googleapis.com/books/v1'),
  GOOGLE_BOOKS_KEY: secret(text),
  CATALOGUE_COUNTRY: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code such as US')
    .transform((code) => code.toUpperCase())
    .default('US'),
  TESTIMONIALS: z
    .string()
    .transform(parseTestimonials)
    .refine(Boolean, 'must be a JSON list of 1 to 6 like [{"text": "…", "who": "…"}]')
    .optional(),
  LINKED_COVERS: onOff.default('on'),
  COMPLETE_BOOKS: onOff.default('on'),
  COVERS_CACHE_MB: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number of megabytes')
    .transform(Number)
    .default(512),
  S3_ENDPOINT: web.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: text,
  S3_ACCESS_KEY_ID: secret(text),
  S3_SECRET_ACCESS_KEY: secret(text),
  TRUST_PROXY: networks.default([]),
  WEBHOOK_NETWORKS: networks.default([]),
  READWISE_URL: web.default('https://readwise.io'),
  CONNECTION_NETWORKS: networks.default([]),
  BACKUP_TO: text,
  BACKUP_EVERY: duration.default(86_400_000),
  BACKUP_KEEP: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a whole number from 1 to 9999')
    .transform(Number)
    .default(30),
  BACKUP_BEFORE_UPGRADE: onOff.default('on'),
  RATE_LIMITS: onOff.default('on'),
  SIGN_UPS: z.enum(signUpModes, `must be one of ${signUpModes.join(', ')}`).default('open'),
  SIGN_IN_CODE: onOff.default('on'),
  PASSWORD_SIGN_IN: onOff.default('on'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be one of fatal, error, warn, info, debug, trace, silent',
    )
    .default('info'),
  METRICS: metricsAddress.optional(),
  METRICS_TOKEN: secret(
    z
      .string()
      .regex(/^[\w.~+/=-]{16,}$/, 'must be at least 16 letters, digits or -._~+/=')
      .optional(),
  ),
  PUBLIC_CONTACT_EMAIL: z.email('must be an email address').optional(),
  ROADMAP_URL: web.optional(),
  CHAT_URL: web.optional(),
  FORUM_URL: web.optional(),
  LLM_URL: web.optional(),
  LLM_MODEL: text,
  LLM_KEY: secret(text),
  PLAN_DEFAULT: z.enum(['free', 'premium'], 'must be free or premium').optional(),
})

/** The settings that are secrets; each can also be read from a file, which `NAME_FILE` names. */
export const secretSettings = Object.entries(environment.shape).flatMap(([name, setting]) =>
  setting.meta()?.['isSecret'] ? [name] : [],
)

/** The variables that are read. */
export const settings = [
  ...Object.keys(environment.shape),
  ...secretSettings.map((name) => `${name}_FILE`),
]

type Environment = z.infer<typeof environment>

/** Of the settings of OpenID providers; each provider's name on the wire is the same in small letters. */
const openIdPrefixes = ['OIDC', 'OIDC2', 'OIDC3'] as const

/** Variables that are only valid together. */
const groups = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['OIDC_NAME', 'OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['OIDC2_NAME', 'OIDC2_ISSUER', 'OIDC2_CLIENT_ID', 'OIDC2_CLIENT_SECRET'],
  ['OIDC3_NAME', 'OIDC3_ISSUER', 'OIDC3_CLIENT_ID', 'OIDC3_CLIENT_SECRET'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['LLM_URL', 'LLM_MODEL'],
] as const satisfies readonly (readonly (keyof Environment)[])[]

/**
 * The whole configuration. Nothing else in the product reads the environment.
 *
 * @param env the process's environment; values are trimmed, and an empty one counts as absent,
 *   except for CATALOGUE_SOURCES; secrets may be in files
 * @returns every setting, defaults filled in
 * @throws ConfigError naming all wrong values in one line
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const given = Object.fromEntries(
    Object.entries(env)
      .map(([name, value]) => [name, value?.trim()] as const)
      .filter(([name, value]) => value || name === 'CATALOGUE_SOURCES'),
  )
  const unread = readSecretFiles(given, secretSettings)
  // The checks below would report the same secrets again, as missing.
  if (unread.length) throw new ConfigError(unread.join('; '))
  const parsed = environment.safeParse(given)
  const wrong = parsed.error?.issues.map((issue) => sentence(issue, given)) ?? []
  for (const group of groups) {
    const missing = group.filter((name) => !given[name])
    if (missing.length > 0 && missing.length < group.length)
      wrong.push(
        `${missing.join(' and ')} must be set together with ${group.filter((name) => given[name]).join(' and ')}`,
      )
  }
  for (const name of ['BACKUP_EVERY', 'BACKUP_KEEP'])
    if (given[name] && !given['BACKUP_TO'])
      wrong.push(`BACKUP_TO must be set together with ${name}`)
  for (const prefix of openIdPrefixes)
    if (given[`${prefix}_TRUST_EMAIL`] && !given[`${prefix}_ISSUER`])
      wrong.push(`${prefix}_ISSUER must be set together with ${prefix}_TRUST_EMAIL`)
  const clientIds = ['GOOGLE_CLIENT_ID', ...openIdPrefixes.map((one) => `${one}_CLIENT_ID`)]
  if (parsed.data?.PASSWORD_SIGN_IN === 'off' && !clientIds.some((name) => given[name]))
    wrong.push(`PASSWORD_SIGN_IN=off leaves no way in; set ${clientIds.join(' or ')}`)
  if (given['DATABASE_DIRECT_URL'] && !given['DATABASE_URL'])
    wrong.push('DATABASE_URL must be set together with DATABASE_DIRECT_URL')
  const { METRICS, METRICS_TOKEN } = parsed.data ?? {}
  if (METRICS_TOKEN && !METRICS) wrong.push('METRICS must be set together with METRICS_TOKEN')
  if (METRICS && !METRICS_TOKEN && !isLoopbackHost(METRICS.host))
    wrong.push('METRICS_TOKEN must be set unless METRICS is an address such as 127.0.0.1:9464')
  if (!parsed.success || wrong.length > 0) throw new ConfigError([...new Set(wrong)].join('; '))
  return fromEnvironment(parsed.data)
}

export type Config = ReturnType<typeof readConfig>

function sentence(issue: z.core.$ZodIssue, given: Readonly<Record<string, string | undefined>>) {
  const name = String(issue.path[0])
  const value = secretSettings.includes(name) ? '' : ` (it is ${JSON.stringify(given[name])})`
  return `${name} ${issue.message}${value}`
}

/** Stripe's two sites for paying and managing, or a stand-in's address for both. */
function paymentPages(url: string): { checkout: string; portal: string } {
  const { origin } = new URL(url)
  return isLoopback(url)
    ? { checkout: origin, portal: origin }
    : { checkout: 'https://checkout.stripe.com', portal: 'https://billing.stripe.com' }
}

function google(env: Environment): OAuth2Provider[] {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = env
  if (!clientId || !clientSecret) return []
  const issuer = env.GOOGLE_ISSUER
  return [{ name: 'google', displayName: 'Google', issuer, clientId, clientSecret }]
}

function openId(env: Environment, prefix: (typeof openIdPrefixes)[number]): OAuth2Provider[] {
  const displayName = env[`${prefix}_NAME`]
  const issuer = env[`${prefix}_ISSUER`]
  const clientId = env[`${prefix}_CLIENT_ID`]
  const clientSecret = env[`${prefix}_CLIENT_SECRET`]
  if (!displayName || !issuer || !clientId || !clientSecret) return []
  const trustsEmail = env[`${prefix}_TRUST_EMAIL`] === 'on'
  return [{ name: prefix.toLowerCase(), displayName, issuer, clientId, clientSecret, trustsEmail }]
}

function fromEnvironment(env: Environment) {
  // With PORT 0 the port is known only once the server listens; `serve` fills it in.
  const appUrl = env.APP_URL ?? `http://localhost:${env.PORT}`
  return {
    port: env.PORT,
    /** Absent: all addresses of the machine. */
    host: env.HOST,
    appUrl,
    appUrlGiven: env.APP_URL !== undefined,
    dataDir: resolve(env.DATA_DIR),
    /** PostgreSQL's own address; absent: SQLite in the data folder. */
    databaseUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    /** A connection pooler in front of the same database; absent: none. */
    pooledUrl: env.DATABASE_DIRECT_URL && env.DATABASE_URL,
    /** Absent: generated once and kept in the data folder. */
    secret: env.SECRET,
    /** Absent: mails become files, see server/mail. */
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM ?? `Octavo <octavo@${new URL(appUrl).hostname}>`,
    /** The providers whose accounts can sign in, in the order they are shown. */
    providers: [...google(env), ...openIdPrefixes.flatMap((prefix) => openId(env, prefix))],
    /** Absent: no payments. */
    stripe:
      env.STRIPE_SECRET_KEY && env.STRIPE_WEBHOOK_SECRET
        ? {
            key: env.STRIPE_SECRET_KEY,
            webhookSecret: env.STRIPE_WEBHOOK_SECRET,
            url: env.STRIPE_API_URL,
            pages: paymentPages(env.STRIPE_API_URL),
          }
        : undefined,
    catalogue: {
      sources: env.CATALOGUE_SOURCES,
      openLibraryUrl: env.OPENLIBRARY_URL,
      openLibraryCoversUrl: env.OPENLIBRARY_COVERS_URL,
      googleBooksUrl: env.GOOGLE_BOOKS_URL,
      googleBooksKey: env.GOOGLE_BOOKS_KEY,
      /** Google Books' results depend on the country. */
      country: env.CATALOGUE_COUNTRY,
      /** Whether the server fetches covers from addresses that readers enter. */
      linkedCovers: env.LINKED_COVERS === 'on',
      /** Whether what readers' books lack is looked up in the background. */
      completeBooks: env.COMPLETE_BOOKS === 'on',
      /** The size limit of the cache of other sites' pictures. */
      coversCacheBytes: env.COVERS_CACHE_MB * 1024 * 1024,
    },
    s3:
      env.S3_BUCKET && env.S3_ACCESS_KEY_ID && env.S3_SECRET_ACCESS_KEY
        ? {
            bucket: env.S3_BUCKET,
            endpoint: env.S3_ENDPOINT,
            region: env.S3_REGION,
            accessKeyId: env.S3_ACCESS_KEY_ID,
            secretAccessKey: env.S3_SECRET_ACCESS_KEY,
          }
        : undefined,
    /** Networks whose forwarding headers are trusted. */
    trustProxy: env.TRUST_PROXY,
    /** Private networks that webhooks may be sent to. */
    webhookNetworks: env.WEBHOOK_NETWORKS,
    readwiseUrl: env.READWISE_URL,
    /** Private networks with services that connections may ask. */
    connectionNetworks: env.CONNECTION_NETWORKS,
    /** Absent: no scheduled backups. */
    backups: env.BACKUP_TO
      ? {
          folder: resolve(env.BACKUP_TO),
          /** Milliseconds from one to the next. */
          every: env.BACKUP_EVERY,
          /** How many are kept. */
          keep: env.BACKUP_KEEP,
        }
      : undefined,
    backupBeforeUpgrade: env.BACKUP_BEFORE_UPGRADE === 'on',
    rateLimits: env.RATE_LIMITS === 'on',
    /** Who can sign up. */
    signUps: env.SIGN_UPS,
    /** Whether signing in also takes a mailed code. */
    signInCode: env.SIGN_IN_CODE === 'on',
    /** Whether readers can sign in with a password, and not with providers and passkeys alone. */
    passwordSignIn: env.PASSWORD_SIGN_IN === 'on',
    logLevel: env.LOG_LEVEL,
    /** Absent: no metrics. */
    metrics: env.METRICS && { ...env.METRICS, token: env.METRICS_TOKEN },
    links: {
      contactEmail: env.PUBLIC_CONTACT_EMAIL,
      roadmap: env.ROADMAP_URL,
      chat: env.CHAT_URL,
      forum: env.FORUM_URL,
    },
    /** Testimonials for the landing page. */
    testimonials: env.TESTIMONIALS,
    llm:
      env.LLM_URL && env.LLM_MODEL
        ? { url: env.LLM_URL, model: env.LLM_MODEL, key: env.LLM_KEY }
        : undefined,
    /** The plan of everyone without a subscription; limits make sense only where they can be lifted. */
    planDefault: env.PLAN_DEFAULT ?? (env.STRIPE_SECRET_KEY ? 'free' : 'premium'),
  }
}
