import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { BrowserGone, type Driver } from './pilot.ts'
import { freePort } from './free-port.ts'

const driverPath = '/usr/bin/WebKitWebDriver'
const browserPath = ['4.1', '4.0', '6.0']
  .map((version) => `/usr/lib/x86_64-linux-gnu/webkit2gtk-${version}/MiniBrowser`)
  .find((path) => existsSync(path))
const screenPath = '/usr/bin/Xvfb'

/** Why no test can run in WebKit here; undefined where one can. */
export const noWebKit =
  existsSync(driverPath) && browserPath && existsSync(screenPath)
    ? undefined
    : 'WebKit (packages webkit2gtk-driver and xvfb)'

/** How WebDriver names an element in its JSON. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
type ElementRef = Record<typeof elementKey, string>

const keys = { Enter: '\uE007', Escape: '\uE00C' } as const
const control = '\uE009'

/** Starts WebKit on a screen of its own, driven by WebDriver. */
export async function openWebKit(size: {
  width: number
  height: number
}): Promise<Driver<ElementRef>> {
  const display = `:${100 + ((await freePort()) % 10_000)}`
  const screen = start(screenPath, [
    display,
    '-screen',
    '0',
    `${size.width}x${size.height}x24`,
    '-nolisten',
    'tcp',
  ])
  const port = await freePort()
  const driver = start(driverPath, [`--port=${port}`], {
    DISPLAY: display,
    // There is no graphics card, and no sandbox for root. WEBKIT_DISABLE_DMABUF_RENDERER would turn
    // compositing off; WebKitGTK 2.50 then stops drawing now and then on a busy machine.
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    NO_AT_BRIDGE: '1',
  })
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(/\/(?:session|url)$/.test(path) ? 60_000 : 20_000),
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new BrowserGone(`${method} ${path} ${JSON.stringify(body)}`, { cause: error })
    })
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } }
    if (!answer.ok) throw new Error(`${path}: ${value.error} ${value.message ?? ''}`)
    return value
  }
  const options = { binary: browserPath, args: ['--automation', '--full-screen'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
  const { sessionId } = await begun(() =>
    send<{ sessionId: string }>('POST', '/session', { capabilities }),
  )
  const at = `/session/${sessionId}`
  await send('POST', `${at}/timeouts`, { pageLoad: 120_000, script: 60_000 })
  await send('POST', `${at}/window/rect`, { x: 0, y: 0, ...size })
  const run = <T>(code: string, args: readonly (string | ElementRef)[]) =>
    send<T>('POST', `${at}/execute/sync`, { script: `return (${code})(...arguments)`, args })
  const press = async (element: ElementRef) => {
    // The driver leaves it under a bar.
    await run(`(element) => element.scrollIntoView({ block: 'center' })`, [element])
    await send('POST', `${at}/element/${element[elementKey]}/click`, {})
  }
  return {
    goto: async (url) => {
      await send('POST', `${at}/url`, { url })
    },
    find: (code, ...args) => run<ElementRef | null>(code, args),
    run: (code, ...args) => run(code, args),
    click: press,
    type: async (element, text) => {
      await press(element)
      const id = element[elementKey]
      await send('POST', `${at}/element/${id}/value`, { text: `${control}a${control}${text}` })
    },
    press: async (key) => {
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: keys[key] }))
      await send('POST', `${at}/actions`, { actions: [{ type: 'key', id: 'keys', actions }] })
    },
    screenshot: async () => Buffer.from(await send<string>('GET', `${at}/screenshot`), 'base64'),
    // It tells nobody of its console.
    problems: async () => [],
    close: async () => {
      // One that hangs goes with its screen.
      await send('DELETE', at).catch(() => undefined)
      driver.kill()
      screen.kill()
    },
  }
}

function start(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const child: ChildProcess = spawn(command, args, {
    stdio: 'ignore',
    env: { ...process.env, ...env },
  })
  child.on('error', () => undefined)
  return child
}

/** Until the driver listens and the screen is there. */
async function begun<T>(ask: () => Promise<T>, tries = 60): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (tries === 0) throw error
    await setTimeout(500)
    return begun(ask, tries - 1)
  }
}
