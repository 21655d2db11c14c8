/** Asks both copies the same and says where their answers differ. */

/** One request; to be asked as a visitor and as a reader. */
export interface CrawlRequest {
  method?: string
  path: string
  body?: object
  accept?: string
  /** It is of use only if it is answered with 200. */
  works?: boolean
  /** Readers do not ask it. */
  isForVisitors?: boolean
}

/** A server with one of the copies. */
export interface TwinServer {
  /** What is in its answers as its own address. */
  origin: string
  /** Answers from where; another than the origin behind a proxy. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
}

/** Who asks, by the token of a session; a visitor has none. */
export type Viewer = { name: string; token: string }

interface Answer {
  status: number
  headers: [string, string][]
  body: string
}

/** Headers that tell when and which request it was. */
const ownHeaders = new Set([
  'date',
  'x-request-id',
  'connection',
  'keep-alive',
  'server',
  'via',
  'alt-svc',
])
const concurrency = 8

export interface Difference {
  asked: string
  bare: unknown
  full: unknown
}

/** @returns the questions whose answers differ, with the first place where they do */
export async function differences(
  { bare, full }: { bare: TwinServer; full: TwinServer },
  viewer: Viewer,
  questions: readonly CrawlRequest[],
): Promise<{ found: Difference[]; worked: number }> {
  const found: Difference[] = []
  const left = questions.filter((one) => !one.isForVisitors || viewer.token === '').values()
  let worked = 0
  async function askNext(): Promise<void> {
    for (const question of left) {
      const [a, b] = await Promise.all([send(bare, viewer, question), send(full, viewer, question)])
      if (a.status < 300) worked++
      const asked = `${viewer.name} ${question.method ?? 'GET'} ${decode(question.path)}`
      if (question.works && a.status !== 200)
        found.push({ asked, bare: `unusable: ${a.status} ${a.body}`, full: b.status })
      else if (JSON.stringify(a) !== JSON.stringify(b))
        found.push({ asked, ...firstDifference(a, b) })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, askNext))
  return { found, worked }
}

/** @returns the answer without what differs at every request */
export async function send(
  side: TwinServer,
  { token }: Viewer,
  question: CrawlRequest,
): Promise<Answer> {
  const { method = 'GET', path, body, accept } = question
  const cookie = `pb_auth=${encodeURIComponent(JSON.stringify({ token, record: null }))}`
  const isPage = !path.startsWith('/api/') && path !== '/mcp'
  const answer = await side.fetch(path, {
    method,
    redirect: 'manual',
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(accept && { Accept: accept }),
      ...(token && (isPage ? { Cookie: cookie } : { Authorization: token })),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const isText = /text|json|xml|javascript/.test(answer.headers.get('content-type') ?? 'text')
  const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1]
  const plain = (text: string) => withoutChance(text, nonce ?? side.origin, side.origin)
  return {
    status: answer.status,
    headers: [...answer.headers]
      .filter(([name]) => !ownHeaders.has(name))
      .map(([name, value]) => [name, plain(value)]),
    body: isText ? plain(bytes.toString()) : bytes.toString('base64'),
  }
}

/** Without nonces, ids of what was just made, and the time. */
function withoutChance(text: string, nonce: string, origin: string): string {
  return text
    .replaceAll(nonce, 'NONCE')
    .replaceAll(origin, 'ORIGIN')
    .replaceAll(/\b1[789]\d{11}\b|\b\d+ (?:second|minute)s?(?=(?:<!-- -->)? ago)/g, 'TIME')
    .replaceAll(/"(otpId|mfaId|clientId)":"[^"]+"/g, '"$1":"ID"')
    .replaceAll(/"exported":"[^"]+"/g, '"exported":"TIME"')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN')
}

function firstDifference(bare: Answer, full: Answer): Omit<Difference, 'asked'> {
  if (bare.status !== full.status) return { bare: bare.status, full: full.status }
  const [a, b] = [bare, full].map(({ headers, body }) => `${JSON.stringify(headers)} ${body}`)
  const at = [...a!].findIndex((letter, i) => letter !== b![i])
  const part = (text: string) => text.slice(Math.max(0, at - 80), Math.max(0, at) + 160)
  return { bare: part(a!), full: part(b!) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
