import { useEffect, useEffectEvent, type RefObject } from 'react'

type EarlyField<Property> =
  | HTMLInputElement
  | (Property extends 'value' ? HTMLSelectElement : never)

/**
 * Reports what was typed into a field, chosen or ticked, before the page was hydrated. Otherwise React would
 * reset the field to the value it rendered.
 *
 * @param property the property of the field that is rendered
 * @param shown the rendered value
 * @param hear called with the field's value if it differs
 */
export function useTypedEarly<Property extends 'value' | 'checked'>(
  field: RefObject<EarlyField<Property> | null>,
  property: Property,
  shown: HTMLInputElement[Property],
  hear: (typed: HTMLInputElement[Property]) => void,
): void {
  const compare = useEffectEvent(() => {
    const typed = (field.current as HTMLInputElement | null)?.[property] ?? shown
    if (typed !== shown) hear(typed)
  })
  useEffect(() => compare(), [])
}
