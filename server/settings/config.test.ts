import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, readConfig, secretSettings, settings } from './config.ts'

test('every setting is explained to operators', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
  const explained = new Set(
    page
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) =>
        [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
      ),
  )
  const files = secretSettings.map((name) => `${name}_FILE`)
  const [, list = ''] = /This works for ([^.]*)\./.exec(page) ?? []
  const named = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(new Set(named)).toEqual(new Set(secretSettings))
  expect(settings.filter((name) => !explained.has(name) && !files.includes(name))).toEqual([])
})

/** The settings of an OpenID provider without its secret. */
const openId = (prefix: string, name: string) => ({
  [`${prefix}_NAME`]: name,
  [`${prefix}_ISSUER`]: `https://${prefix.toLowerCase()}.example/realm/`,
  [`${prefix}_CLIENT_ID`]: 'octavo',
})

/** @returns the path of a new file */
function secretFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'secret'), content)
  return join(folder, 'secret')
}

describe('secrets', () => {
  test('are all settings that sound like one', () => {
    const sounds = /SECRET|PASSWORD(?!_SIGN_IN)|_KEY|TOKEN|DATABASE\w*_URL|SMTP_URL/
    const plain = settings.filter((name) => !name.endsWith('_FILE') && sounds.test(name))
    expect(secretSettings).toEqual(expect.arrayContaining(plain))
  })

  test('can be in files, whose last line break is not part of them', () => {
    const values: Record<string, string> = {
      SECRET: 'x'.repeat(40),
      DATABASE_URL: 'postgres://octavo:hunter2@pooler/octavo',
      DATABASE_DIRECT_URL: 'postgres://octavo:hunter2@db/octavo',
      SMTP_URL: 'smtp://octavo:hunter2@mail.example.org:587',
      METRICS_TOKEN: 'token-of-some-length',
    }
    const given = Object.fromEntries(
      secretSettings.map((name) => [`${name}_FILE`, secretFile(`${values[name] ?? name}\n`)]),
    )
    const others = {
      METRICS: '9464',
      GOOGLE_CLIENT_ID: 'id',
      S3_BUCKET: 'b',
      LLM_URL: 'http://llm',
      LLM_MODEL: 'm',
      ...openId('OIDC', 'Home'),
      ...openId('OIDC2', 'Work'),
      ...openId('OIDC3', 'Club'),
    }
    expect(readConfig({ ...others, ...given })).toMatchObject({
      secret: values['SECRET'],
      databaseUrl: values['DATABASE_DIRECT_URL'],
      pooledUrl: values['DATABASE_URL'],
      smtpUrl: values['SMTP_URL'],
      metrics: { token: values['METRICS_TOKEN'] },
      providers: [
        { clientSecret: 'GOOGLE_CLIENT_SECRET' },
        { clientSecret: 'OIDC_CLIENT_SECRET' },
        { clientSecret: 'OIDC2_CLIENT_SECRET' },
        { clientSecret: 'OIDC3_CLIENT_SECRET' },
      ],
      stripe: { key: 'STRIPE_SECRET_KEY', webhookSecret: 'STRIPE_WEBHOOK_SECRET' },
      catalogue: { googleBooksKey: 'GOOGLE_BOOKS_KEY' },
      s3: { accessKeyId: 'S3_ACCESS_KEY_ID', secretAccessKey: 'S3_SECRET_ACCESS_KEY' },
      llm: { key: 'LLM_KEY' },
    })
  })

  test.each([
    [{ SECRET: 'x'.repeat(40), SECRET_FILE: '/x' }, 'SECRET and SECRET_FILE are both set'],
    [{ SECRET_FILE: '/nowhere/secret' }, 'SECRET_FILE cannot be read: ENOENT'],
    [{ SMTP_URL_FILE: tmpdir() }, 'SMTP_URL_FILE cannot be read: EISDIR'],
  ])('wrong in files: %o', (env, message) => {
    expect(() => readConfig(env)).toThrow(ConfigError)
    expect(() => readConfig(env)).toThrow(message)
    expect(() => readConfig(env)).toThrow(/^[^\n]+$/)
  })

  test('in files are as little repeated as others', () => {
    expect(() => readConfig({ SECRET_FILE: secretFile('hunter2') })).toThrow(
      /^SECRET must have at least 32 characters$/,
    )
    expect(() => readConfig({ SECRET_FILE: secretFile('\n') })).toThrow(
      /^SECRET_FILE names an empty file: /,
    )
  })
})

test('an empty environment is a whole configuration', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    port: 3000,
    host: undefined,
    appUrl: 'http://localhost:3000',
    databaseUrl: undefined,
    pooledUrl: undefined,
    mailFrom: 'Octavo <octavo@localhost>',
    catalogue: { sources: ['openlibrary', 'google'], country: 'US' },
    trustProxy: [],
    rateLimits: true,
    logLevel: 'info',
    planDefault: 'premium',
  })
  expect(config.dataDir).toMatch(/\/data$/)
})

test('an empty value counts as absent, except for the list of sources', () => {
  const config = readConfig({ PORT: '', SECRET: '', CATALOGUE_SOURCES: '' })
  expect(config.port).toBe(3000)
  expect(config.secret).toBeUndefined()
  expect(config.catalogue.sources).toEqual([])
})

test('blanks around a value, as files of settings have them, are none of it', () => {
  const config = readConfig({
    PORT: ' 3001 ',
    HOST: '127.0.0.1 ',
    SECRET: ' '.repeat(40),
    OPENLIBRARY_URL: 'https://openlibrary.org/ ',
    LOG_LEVEL: '\tinfo\r',
    CATALOGUE_SOURCES: ' ',
  })
  expect([config.port, config.host, config.secret]).toEqual([3001, '127.0.0.1', undefined])
  expect(config.catalogue.openLibraryUrl).toBe('https://openlibrary.org')
  expect(config.catalogue.sources).toEqual([])
})

test('values are read', () => {
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    APP_URL: 'https://books.example.org/',
    DATABASE_URL: 'postgresql://octavo@/octavo?host=/run/postgresql',
    SMTP_URL: 'smtps://user:pass@mail.example.org',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    WEBHOOK_NETWORKS: '192.168.0.0/16',
    CONNECTION_NETWORKS: '10.1.0.0/16',
    READWISE_URL: 'https://readwise.example.org/',
    RATE_LIMITS: 'off',
    CATALOGUE_SOURCES: 'openlibrary',
    CATALOGUE_COUNTRY: 'de',
    COVERS_CACHE_MB: '1',
    LINKED_COVERS: 'off',
    COMPLETE_BOOKS: 'off',
    TESTIMONIALS: '[{"text": "It knows my page.", "who": "Ann"}]',
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
    BACKUP_TO: '/mnt/backups',
    BACKUP_EVERY: '7d',
  })
  expect(config).toMatchObject({
    port: 0,
    appUrl: 'https://books.example.org',
    mailFrom: 'Octavo <octavo@books.example.org>',
    trustProxy: ['10.0.0.0/8', '::1'],
    webhookNetworks: ['192.168.0.0/16'],
    connectionNetworks: ['10.1.0.0/16'],
    readwiseUrl: 'https://readwise.example.org',
    catalogue: {
      sources: ['openlibrary'],
      country: 'DE',
      coversCacheBytes: 1_048_576,
      linkedCovers: false,
      completeBooks: false,
    },
    backups: { folder: '/mnt/backups', every: 7 * 24 * 3_600_000, keep: 30 },
    testimonials: [{ text: 'It knows my page.', who: 'Ann' }],
    providers: [{ name: 'google', clientId: 'id', issuer: 'https://accounts.google.com' }],
  })
})

test('OpenID providers stand beside Google, each with its own settings', () => {
  const first = { ...openId('OIDC', 'Home'), OIDC_CLIENT_SECRET: 'secret of Home' }
  const third = { ...openId('OIDC3', 'Work'), OIDC3_CLIENT_SECRET: 's', OIDC3_TRUST_EMAIL: 'on' }
  expect(readConfig({ ...third, ...first }).providers).toEqual([
    {
      name: 'oidc',
      displayName: 'Home',
      issuer: 'https://oidc.example/realm/',
      clientId: 'octavo',
      clientSecret: 'secret of Home',
      trustsEmail: false,
    },
    expect.objectContaining({ name: 'oidc3', displayName: 'Work', trustsEmail: true }),
  ])
  expect(readConfig({}).providers).toEqual([])
})

test('payments need both keys, and lead to the provider alone', () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
  const pages = { checkout: 'https://checkout.stripe.com', portal: 'https://billing.stripe.com' }
  expect(readConfig({}).stripe).toBeUndefined()
  expect(readConfig(keys)).toMatchObject({ stripe: { key: 'sk_test_1', pages } })
  for (const name of Object.keys(keys))
    expect(() => readConfig({ ...keys, [name]: '' })).toThrow(
      /^STRIPE_\w+ must be set together with STRIPE_\w+$/,
    )
  const elsewhere = readConfig({ ...keys, STRIPE_API_URL: 'https://proxy.example' })
  expect(elsewhere.stripe?.pages).toEqual(pages)
  const local = readConfig({ ...keys, STRIPE_API_URL: 'http://127.0.0.1:4242/' })
  expect(local.stripe?.pages.checkout).toBe('http://127.0.0.1:4242')
})

test('limits hold where they can be lifted by paying, or where the operator wants them', () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
  const planOf = (env: Record<string, string>) => readConfig(env).planDefault
  expect([planOf({}), planOf(keys)]).toEqual(['premium', 'free'])
  expect(planOf({ PLAN_DEFAULT: 'free' })).toBe('free')
  expect(planOf({ ...keys, PLAN_DEFAULT: 'premium' })).toBe('premium')
})

describe('a wrong value is told in one line', () => {
  test.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535 (it is "abc")'],
    [{ PORT: '-1' }, 'PORT must be'],
    [{ PORT: '65536' }, 'PORT must be'],
    [{ PORT: '80.5' }, 'PORT must be'],
    [{ LINKED_COVERS: 'yes' }, 'LINKED_COVERS must be on or off (it is "yes")'],
    [{ COMPLETE_BOOKS: '1' }, 'COMPLETE_BOOKS must be on or off (it is "1")'],
    [{ TESTIMONIALS: 'Nice!' }, 'TESTIMONIALS must be a JSON list of 1 to 6'],
    [{ TESTIMONIALS: '[{"text": ""}]' }, 'TESTIMONIALS must be a JSON list of 1 to 6'],
    [{ APP_URL: 'localhost' }, 'APP_URL must be an address starting with http:// or https://'],
    [{ APP_URL: 'ftp://a.example' }, 'APP_URL must be an address'],
    [{ APP_URL: 'https://a.example/sub' }, 'APP_URL must be the address of the site, without'],
    [{ DATABASE_URL: 'mysql://a' }, 'DATABASE_URL must be an address starting with postgres://'],
    [{ SECRET: 'short' }, 'SECRET must have at least 32 characters'],
    [{ SMTP_URL: 'mail.example' }, 'SMTP_URL must be an address starting with smtp://'],
    [{ SMTP_URL: 'smtp://' }, 'SMTP_URL must name a host'],
    [{ SMTP_URL: 'smtp://mail.example:99999' }, 'SMTP_URL must name a host'],
    [{ SMTP_URL: 'smtp://user:pass#word@mail.example' }, '# and % as %40 %3A'],
    [{ DATABASE_URL: 'postgres://user:pass/word@host/db' }, 'DATABASE_URL must look like postgres'],
    [{ MAIL_FROM: 'Octavo' }, 'MAIL_FROM must be an email address'],
    [{ CATALOGUE_COUNTRY: 'Germany' }, 'CATALOGUE_COUNTRY must be a two-letter country code'],
    [{ COVERS_CACHE_MB: '1.5' }, 'COVERS_CACHE_MB must be a whole number of megabytes'],
    [{ CATALOGUE_SOURCES: 'amazon' }, 'CATALOGUE_SOURCES must be a list of openlibrary, google'],
    [{ TRUST_PROXY: '10.0.0.0/40' }, 'TRUST_PROXY must be a list of networks'],
    [{ TRUST_PROXY: 'proxy' }, 'TRUST_PROXY must be a list of networks'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
    [{ PUBLIC_CONTACT_EMAIL: 'me' }, 'PUBLIC_CONTACT_EMAIL must be an email address'],
    [{ ROADMAP_URL: 'roadmap' }, 'ROADMAP_URL must be an address'],
    [{ PLAN_DEFAULT: 'gold' }, 'PLAN_DEFAULT must be free or premium'],
    [{ BACKUP_TO: '/b', BACKUP_EVERY: 'daily' }, 'BACKUP_EVERY must be a number of minutes, hours'],
    [{ BACKUP_TO: '/b', BACKUP_EVERY: '0h' }, 'BACKUP_EVERY must be a number of minutes, hours or'],
    [{ BACKUP_TO: '/b', BACKUP_KEEP: '0' }, 'BACKUP_KEEP must be a whole number from 1 to 9999'],
    [{ BACKUP_EVERY: '24h' }, 'BACKUP_TO must be set together with BACKUP_EVERY'],
    [{ GOOGLE_CLIENT_ID: 'id' }, 'GOOGLE_CLIENT_SECRET must be set together with GOOGLE_CLIENT_ID'],
    [{ PASSWORD_SIGN_IN: 'no' }, 'PASSWORD_SIGN_IN must be on or off'],
    [{ PASSWORD_SIGN_IN: 'off' }, 'PASSWORD_SIGN_IN=off leaves no way in; set GOOGLE_CLIENT_ID or'],
    [{ OIDC_NAME: 'Home' }, 'OIDC_ISSUER and OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set'],
    [{ OIDC2_ISSUER: 'auth.example' }, 'OIDC2_ISSUER must be an address'],
    [{ OIDC_TRUST_EMAIL: 'yes' }, 'OIDC_TRUST_EMAIL must be on or off'],
    [{ OIDC3_TRUST_EMAIL: 'on' }, 'OIDC3_ISSUER must be set together with OIDC3_TRUST_EMAIL'],
    [{ STRIPE_API_URL: 'stripe' }, 'STRIPE_API_URL must be an address'],
    [{ S3_BUCKET: 'files' }, 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together with'],
  ])('%o', (env, message) => {
    const read = () => readConfig(env)
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(message)
    expect(read).toThrow(/^[^\n]+$/)
    expect(read).not.toThrow(/pass[#/]word/)
  })

  test('all of them at once, and no secret is repeated', () => {
    expect(() => readConfig({ PORT: 'x', SECRET: 'hunter2', PLAN_DEFAULT: 'gold' })).toThrow(
      /^PORT .*; SECRET must have at least 32 characters; PLAN_DEFAULT [^;]*$/,
    )
  })
})
