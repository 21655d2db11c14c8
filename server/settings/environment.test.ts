import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { settings } from './config.ts'
import { findMistypedSettings, refuseOtherLines } from './environment.ts'

describe('a line of .env that sets nothing', () => {
  const read = (text: string) => () => refuseOtherLines(text, parseEnv(text))

  it.for([
    ['DATABASE_URL postgres://octavo:password@host/db', 'line 1'],
    ['# mail\nSMTP_URL: smtp://a:b@host?x=y\nPORT=1', 'line 2'],
    ['SECRET\nPORT=1\n DATA_DIR ./data', 'lines 1, 3'],
    ['A="one\ntwo"\nthree', 'line 3'],
    ['=value', 'line 1'],
  ])('is refused by its number: %j', ([text = '', which]) => {
    expect(read(text)).toThrow(new RegExp(`^${which} must be NAME=value$`))
  })

  it('is none that has a comment, an assignment or a part of a quoted value', () => {
    const text = `# a comment\n\n  \nA=1\r\n export B = 2 # two\nC=\nD="one\ntwo words\nthree" # end\nE='{\n  "a": 1\n}'`
    expect(read(text)).not.toThrow()
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
