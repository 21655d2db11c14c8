import { useState, type ChangeEvent, type CompositionEvent } from 'react'
import { digitsOf } from '#shared/digits.ts'

/**
 * The props of a field that takes digits alone, in any script, and has them as 0 to 9. What an input
 * method composes stays as it is until it is complete.
 *
 * @param onDigits what was typed, without anything else
 */
export function useDigitsInput(value: string, onDigits: (digits: string) => void) {
  const [composed, setComposed] = useState<string>()
  return {
    inputMode: 'numeric',
    autoComplete: 'off',
    value: composed ?? value,
    onChange: ({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
      if ((nativeEvent as InputEvent).isComposing) setComposed(currentTarget.value)
      else onDigits(digitsOf(currentTarget.value))
    },
    onCompositionEnd: ({ currentTarget }: CompositionEvent<HTMLInputElement>) => {
      setComposed(undefined)
      onDigits(digitsOf(currentTarget.value))
    },
  } as const
}
