import '../settings/node-env.ts'
import { parseArgs } from 'node:util'
import { dataFolder, loadSettings, findMistypedSettings } from '../settings/environment.ts'
import { failureMessage } from '../runtime/failure.ts'
import { stopWhenNpmEnds } from '../runtime/signals.ts'

/** One command that an operator types. */
export interface Command {
  /** Its positional arguments: `<backup>` is required, `[folder]` is optional. */
  words?: readonly string[]
  options?: Readonly<Record<string, Option>>
  /** What it does, in one line. */
  about: string
  /** The start of the line that says why it failed, such as `Nothing was backed up`. */
  failure?: string
  /**
   * @param given the positional arguments in order, and the options by name
   * @returns the exit code, where it is not 0
   * @throws in words an operator can act on
   */
  run(given: Arguments): Promise<number | void>
}

interface Option {
  type: 'string' | 'boolean'
  multiple?: boolean
  /** Its argument, such as `address`; absent where it takes none. */
  value?: string
  /** What it does, in a few words. */
  about: string
}

export interface Arguments {
  words: readonly string[]
  options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>
  /** The command line as it was typed, without the command. */
  line: string[]
}

/** An invalid command line; the message is one line. */
class UsageError extends Error {}

/**
 * Runs one of several commands: the first argument of the process is its name.
 *
 * @param typed how the command is typed, up to its arguments, such as `npm run backup --`
 */
export async function runCommands(
  typed: (name: string) => string,
  commands: Readonly<Record<string, Command>>,
): Promise<void> {
  ignoreClosedOutput()
  const [name = '', ...line] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) return runCommand(typed(name), command, line)
  if (['--help', '-h', 'help'].includes(name)) {
    for (const [each, known] of Object.entries(commands)) console.log(usage(typed(each), known))
    return
  }
  const wrong = name ? `there is no command ${name}` : 'say which command'
  console.error(`${wrong}: ${Object.keys(commands).join(', ')}; see ${typed('--help')}`)
  process.exitCode = 1
}

/**
 * Runs a command. A failure of any kind is one line on standard error and exit code 1; `--help`
 * prints the usage.
 *
 * @param typed as in {@link runCommands}
 * @param line the arguments after the command's name
 */
export async function runCommand(typed: string, command: Command, line: string[]): Promise<void> {
  ignoreClosedOutput()
  stopWhenNpmEnds()
  try {
    const given = parseArguments(command, line, typed)
    if (!given) return console.log(usage(typed, command))
    loadSettings()
    for (const { name, meant } of findMistypedSettings())
      console.error(`Octavo has no setting ${name}; did you mean ${meant}?`)
    process.exitCode = (await command.run(given)) ?? 0
  } catch (error) {
    const prefix = command.failure ? `${command.failure}: ` : ''
    // A command writes to a folder on its command line or to the data folder.
    const folders = [...line, dataFolder(), '.']
    console.error(prefix + failureMessage(error, folders))
    process.exitCode = 1
  }
}

/**
 * Lets the process finish its work and end as usual when nobody reads its output any more, as in
 * `npm run doctor | head`: Node would end it with a stack trace.
 */
function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners('error').includes(ignoreBrokenPipe)) stream.on('error', ignoreBrokenPipe)
}

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/**
 * @returns null if help is asked for
 * @throws UsageError at an unknown option, or too many or too few arguments
 */
function parseArguments(command: Command, line: string[], typed: string): Arguments | null {
  const help = `; see ${typed} --help`
  const { values, positionals } = parseStrictly(line, command.options ?? {}, help)
  if (values['help']) return null
  const words = command.words ?? []
  const missing = words.find((word, at) => word.startsWith('<') && !positionals[at])
  if (missing)
    throw new UsageError(`say which ${missing.slice(1, -1)}: ${typed} ${words.join(' ')}`)
  if (positionals.length > words.length)
    throw new UsageError(
      `${JSON.stringify(positionals[words.length])} is one argument too many${help}`,
    )
  return { words: positionals, options: values, line }
}

function parseStrictly(args: string[], options: Readonly<Record<string, Option>>, help: string) {
  try {
    return parseArgs({
      args,
      options: {
        ...Object.fromEntries(
          Object.entries(options).map(([name, { type, multiple = false }]) => [
            name,
            { type, multiple },
          ]),
        ),
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
  } catch (error) {
    // Node's own message without its advice.
    const [reason = ''] = failureMessage(error).split('. ')
    throw new UsageError(reason.charAt(0).toLowerCase() + reason.slice(1) + help)
  }
}

function usage(typed: string, command: Command): string {
  const options = Object.entries(command.options ?? {})
  const lines = options.map(([name, { value, about }]) =>
    `  --${`${name}${value ? ` <${value}>` : ''}`.padEnd(22)}  ${about}`.trimEnd(),
  )
  const words = [...(command.words ?? []), ...(options.length ? ['[options]'] : [])]
  return [`${[typed, ...words].join(' ')}\n    ${command.about}`, ...lines].join('\n')
}
