import { useEffect, useEffectEvent, type RefObject } from 'react'

/**
 * Hears what was typed into a field, or ticked, before the page was hydrated: React has drawn another
 * value, and would put it back.
 *
 * @param property the one of the field's that is drawn
 * @param shown what is drawn
 * @param hear told what differs from it
 */
export function useTypedEarly<Property extends 'value' | 'checked'>(
  field: RefObject<HTMLInputElement | null>,
  property: Property,
  shown: HTMLInputElement[Property],
  hear: (typed: HTMLInputElement[Property]) => void,
): void {
  const compare = useEffectEvent(() => {
    const typed = field.current?.[property] ?? shown
    if (typed !== shown) hear(typed)
  })
  useEffect(() => compare(), [])
}
