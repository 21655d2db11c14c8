/** System errors of a server that isn't there, or that no name or route leads to yet. */
const unreachable = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** SQLSTATEs of a server that is starting, stopping or busy, or that a pooler can't reach. */
const busy = /^(?:08|53|57P)/

/**
 * @param error of opening a database
 * @returns whether the server is only away, rather than refusing the account, the database or TLS
 */
export function mayComeBack(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '08006') return false
  const { code, message } = error.cause as Error & { code?: unknown }
  if (typeof code === 'string') return unreachable.has(code) || busy.test(code)
  return /terminated|timeout/.test(message)
}
