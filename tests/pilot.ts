import { vi } from 'vitest'

/** WebKitGTK ends now and then, or answers its driver no more: that is not the page's fault. */
export class BrowserGone extends Error {}

/** A browser that Playwright doesn't drive, with one page. */
export interface Driver<Element> {
  goto: (address: string) => Promise<void>
  /** @param code a function of its arguments, in the page; @returns the element it returns */
  find: (code: string, ...args: string[]) => Promise<Element | null>
  run: <T>(code: string, ...args: string[]) => Promise<T>
  click(element: Element): Promise<void>
  type(element: Element, text: string): Promise<void>
  press: (key: 'Enter' | 'Escape') => Promise<void>
  screenshot: () => Promise<Buffer>
  /** What went wrong on the page so far. */
  problems: () => Promise<string[]>
  close: () => Promise<void>
}

const selectors = {
  button: 'button, summary, [role=button]',
  link: 'a[href]',
  radio: '[role=radio], input[type=radio]',
  menuitem: '[role=menuitem]',
  heading: 'h1, h2, h3',
  field: 'input, select, textarea',
} as const
export type Role = keyof typeof selectors

/**
 * Finds what is in sight and has the name; one that ends in "…" is how the name begins. A dialog that
 * still slides in would move away from a press.
 */
const finder = `(selector, wanted) => {
  const nameOf = (element) =>
    element.getAttribute('aria-label') ||
    (element.getAttribute('aria-labelledby') || '').split(' ').map((id) => document.getElementById(id)?.textContent).join(' ').trim() ||
    element.labels?.[0]?.textContent ||
    element.textContent
  const isWanted = (name) =>
    wanted.endsWith('…') ? name.startsWith(wanted.slice(0, -1)) : name === wanted
  const dialog = [...document.querySelectorAll('[role=dialog], [role=menu]')].at(-1)
  if (dialog?.getAnimations().some(({ playState }) => playState === 'running')) return null
  const all = [...(dialog || document).querySelectorAll(selector)]
  return all.find((element) =>
    isWanted(nameOf(element).replace(/\\s+/g, ' ').trim()) && element.getClientRects().length > 0 && !element.disabled) || null
}`

/** @returns whether the select field that has the label has the option, which is then chosen */
const chooser = `(label, wanted) => {
  const select = (${finder})('select', label)
  const option = [...(select?.options || [])].find(({ text }) => text === wanted)
  if (!option) return false
  select.value = option.value
  select.dispatchEvent(new Event('change', { bubbles: true }))
  return true
}`

const says = `(text) => document.body.innerText.includes(text)`

/** @throws with what was waited for, when it doesn't come */
function until(look: () => Promise<boolean>, what: string): Promise<unknown> {
  return vi.waitUntil(look, { timeout: 40_000, interval: 200 }).catch((error: unknown) => {
    if (error instanceof BrowserGone) throw error
    throw new Error(`waited in vain for ${what}`, { cause: error })
  })
}

/** For a look while the page changes: what fails now may not fail the next time. */
function otherwise<T>(value: T) {
  return (error: unknown): T => {
    if (error instanceof BrowserGone) throw error
    return value
  }
}

/** What a reader does on a page, by the names of what they see. Everything waits for what it needs. */
export class Pilot<Element = unknown> {
  readonly driver: Driver<Element>
  readonly #origin: string
  constructor(driver: Driver<Element>, origin: string) {
    this.driver = driver
    this.#origin = origin
  }

  goto(path: string): Promise<void> {
    return this.driver.goto(this.#origin + path)
  }

  async click(role: Role, name: string): Promise<void> {
    await this.#reach(role, name, (element) => this.driver.click(element))
  }

  async fill(label: string, text: string): Promise<void> {
    await this.#reach('field', label, async (field) => {
      await this.driver.run(`() => document.activeElement?.blur()`)
      await this.driver.type(field, text)
    })
  }

  /** Chooses an option of a select field by its text. */
  async choose(label: string, option: string): Promise<void> {
    const isChosen = () => this.driver.run<boolean>(chooser, label, option).catch(otherwise(false))
    await until(isChosen, `“${option}” of “${label}”`)
  }

  press(key: 'Enter' | 'Escape'): Promise<void> {
    return this.driver.press(key)
  }

  async sees(text: string): Promise<void> {
    await until(
      () => this.driver.run<boolean>(says, text).catch(otherwise(false)),
      `“${text}” on the page`,
    )
  }

  async isAt(path: string): Promise<void> {
    const here = () => this.driver.run<string>('() => location.pathname + location.search')
    await until(async () => (await here().catch(otherwise(''))).includes(path), path)
  }

  async #reach(role: Role, name: string, act: (element: Element) => Promise<void>): Promise<void> {
    const reach = async () => {
      await act(await this.#find(role, name))
      return true
    }
    // A message may pass over it, and it may be drawn anew.
    const isPassing = (error: unknown) => {
      if (/intercepted|stale|not (?:clickable|interactable)|detached/i.test(String(error)))
        return false
      throw error
    }
    await until(() => reach().catch(isPassing), name)
  }

  async #find(role: Role, name: string): Promise<Element> {
    let found: Element | null = null
    const look = async () => {
      found = await this.driver.find(finder, selectors[role], name).catch(otherwise(null))
      return found !== null
    }
    await until(look, `${role} “${name}”`)
    return found!
  }
}
