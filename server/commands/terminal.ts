import { Writable } from 'node:stream'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

/** Maximum length of an answer. */
const longest = 1000

/**
 * Asks the operator for a line, at the terminal or from the first line of standard input.
 *
 * @param question without a trailing space; printed to standard error, so that it isn't piped on
 * @param isSecret whether what is typed stays off the screen
 * @throws if the operator gives up (Ctrl-C, Ctrl-D) or standard input ends without a line
 */
export async function promptLine(question: string, isSecret = false): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) {
    const [line = ''] = (await text(stdin)).split(/\r?\n/, 1)
    if (!line) throw new Error('standard input is empty')
    return line.slice(0, longest)
  }
  stderr.write(`${question} `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isSecret ? silent : stderr
  const lines = createInterface({ input: stdin, output, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      // Ctrl-C and Ctrl-D both close the prompt, after a line that was entered has been read.
      lines.once('SIGINT', () => lines.close())
      lines.once('close', () => reject(new Error('no answer was given')))
    })
  } finally {
    lines.close()
    if (isSecret) stderr.write('\n')
  }
}
