import { describe, expect, it } from 'vitest'
import { settings } from './config.ts'
import { findMistypedSettings, readSettings } from './environment.ts'

describe('a line of .env that sets nothing', () => {
  it.for([
    ['DATABASE_URL postgres://octavo:password@host/db', 'line 1 must be NAME=value'],
    ['# mail\nSMTP_URL: smtp://a:b@host?x=y\nPORT=1', 'line 2 must be NAME=value'],
    ['SECRET\nPORT=1\n DATA_DIR ./data', 'lines 1, 3 must be NAME=value'],
    ['=value', 'line 1 must be NAME=value'],
    ['PORT=1\nSECRET="abc\nAPP_URL="x"', 'line 2 must end with the quotation mark too'],
    ["SECRET='abc", 'line 1 must end with the quotation mark too'],
    ['SECRET="', 'line 1 must end with the quotation mark too'],
  ])('is refused by its number: %j', ([text = '', message = '']) => {
    expect(() => readSettings(text)).toThrow(new Error(message))
  })

  it('is none that has a comment or an assignment', () => {
    const text = `# a comment\n\n  \nA=1\r\n export B = 2 # two\nC=\nD="two # words" # end\nE='{"a": 1}'\nF=it's`
    const values = { A: '1', B: '2', C: '', D: 'two # words', E: '{"a": 1}', F: "it's" }
    expect(readSettings(text)).toEqual(values)
  })

  it('is none behind the mark that Windows’ editors write first', () => {
    expect(readSettings('\uFEFFPORT=1\r\nSECRET=x\r\n')).toEqual({ PORT: '1', SECRET: 'x' })
  })
})

const variables = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'x']))

describe('a variable that looks like a mistyped setting', () => {
  it.for([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['TRUST_PROXIES', 'TRUST_PROXY'],
    ['RATE_LIMIT', 'RATE_LIMITS'],
    ['DATADIR', 'DATA_DIR'],
    ['APPURL', 'APP_URL'],
    ['SMPT_URL', 'SMTP_URL'],
    ['S3_BUCKETS', 'S3_BUCKET'],
    ['PORT_FILE', 'PORT'],
  ])('%s is named along with %s', ([name = '', meant = '']) => {
    expect(findMistypedSettings(variables(name))).toEqual([{ name, meant }])
  })

  it('is none that has a setting’s name, nor any that other programs use', () => {
    expect(findMistypedSettings(variables(...settings))).toEqual([])
    const others = `PATH HOME HOST HOSTNAME USER SHELL LANG LC_ALL PWD OLDPWD TERM TMPDIR LOGNAME MAIL
      HOSTTYPE PORTS SECRETS API_URL BASE_URL APP_URI NODE_ENV NODE_OPTIONS NODE_VERSION npm_config_cache
      npm_lifecycle_script npm_package_json INIT_CWD PGHOST PGDATABASE POSTGRES_PASSWORD REDIS_URL
      AWS_REGION AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID S3_PREFIX SMTP_HOST SMTP_PORT MAIL_HOST
      INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID STATE_DIRECTORY XDG_DATA_DIRS XDG_RUNTIME_DIR
      XDG_DATA_HOME GITHUB_ACTIONS GITHUB_API_URL RUNNER_TEMP CI COLORTERM LS_COLORS SSH_AUTH_SOCK
      GOOGLE_APPLICATION_CREDENTIALS LOG_FORMAT KUBERNETES_SERVICE_HOST http_proxy no_proxy SHLVL _`
    expect(findMistypedSettings(variables(...others.split(/\s+/)))).toEqual([])
  })
})
