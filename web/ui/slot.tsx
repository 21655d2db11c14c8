import { Children, cloneElement, type ComponentProps, type ReactElement } from 'react'
import { classNames } from './class-names.ts'

/** Gives its look and attributes to its one child, such as a router link; the child's own win. */
export function Slot({ children, className, ...rest }: ComponentProps<'span'>) {
  const child = Children.only(children) as ReactElement<{ className?: string }>
  return cloneElement(child, {
    ...rest,
    ...child.props,
    className: classNames(className, child.props.className),
  })
}
