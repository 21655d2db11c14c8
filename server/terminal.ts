import { Writable } from 'node:stream'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

/** Characters of an answer at most. */
const longest = 1000

/**
 * Asks the operator for a line: at the terminal, or else on standard input, whose first line is the
 * answer.
 *
 * @param question without the blank after it; goes to standard error, away from what is piped on
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
      // Both Ctrl-C and Ctrl-D end the asking; a line that was typed has been taken by then.
      lines.once('SIGINT', () => lines.close())
      lines.once('close', () => reject(new Error('no answer was given')))
    })
  } finally {
    lines.close()
    if (isSecret) stderr.write('\n')
  }
}
