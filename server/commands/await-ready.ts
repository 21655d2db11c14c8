import { setTimeout } from 'node:timers/promises'
import { isRunning } from '../backup/unfinished.ts'
import { runCommand } from './command.ts'
import { readConfig } from '../settings/config.ts'

/** Milliseconds between two attempts. */
const lookAgain = 250

/** @returns where this machine reaches the server that has these settings */
function ownAddress({
  host = '0.0.0.0',
  port,
}: {
  host: string | undefined
  port: number
}): string {
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

await runCommand(
  'node server/commands/await-ready.ts',
  {
    words: ['[pid]'],
    about: 'Waits until Octavo is ready, or its process has ended; for service managers.',
    async run({ words: [pid] }) {
      const server = Number(pid)
      const url = `${ownAddress(readConfig({ ...process.env }))}/api/ready`
      // Without a limit: an upgrade takes as long as the library is large.
      for (;;) {
        const answer = await fetch(url).catch(() => undefined)
        await answer?.body?.cancel()
        if (answer?.ok) return
        if (server && !isRunning(server))
          throw new Error(`Octavo ended before it was ready at ${url}`)
        await setTimeout(lookAgain)
      }
    },
  },
  process.argv.slice(2),
)
