import type { ComponentProps } from 'react'
import { useScriptControl } from './hydrated.ts'

/** The browser's own button, for what only a script can do. */
export function ScriptButton({ disabled, type = 'button', ...button }: ComponentProps<'button'>) {
  return <button {...button} type={type} {...useScriptControl(disabled)} />
}
