import { createElement, type SVGProps } from 'react'
import { classNames } from './class-names.ts'

/** An icon as Lucide's files have it. */
interface IconData {
  name: string
  node: readonly [tag: string, attributes: Record<string, string>][]
}

/**
 * Stands in for Lucide's own function of this name in what is built (see vite.config.ts), without the
 * options that no screen uses: it draws the same in a fifth of the code, and every page has icons.
 */
export default function createLucideIcon({ name, node }: IconData) {
  return function LucideIcon({ className, ...rest }: SVGProps<SVGSVGElement>) {
    return (
      <svg
        xmlns="http://www.w3.org/2000/svg"
        width={24}
        height={24}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        className={classNames('lucide', `lucide-${name}`, className)}
        aria-hidden
        {...rest}
      >
        {node.map(([tag, attributes]) => createElement(tag, attributes))}
      </svg>
    )
  }
}
