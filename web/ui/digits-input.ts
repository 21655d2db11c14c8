import { useState, type ChangeEvent, type CompositionEvent } from 'react'
import { digitsOf } from '#shared/digits.ts'

/**
 * The props of a field that takes digits alone, in any script, and has them as 0 to 9. What an input
 * method composes stays as it is until it is complete.
 *
 * @param onDigits what was typed, without anything else
 * @param most how many digits; an input's `maxLength` counts the marks of a pasted number, too
 */
export function useDigitsInput(value: string, onDigits: (digits: string) => void, most = Infinity) {
  const [composed, setComposed] = useState<string>()
  const read = (text: string) => onDigits(digitsOf(text).slice(0, most))
  return {
    inputMode: 'numeric',
    autoComplete: 'off',
    value: composed ?? value,
    onChange: ({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
      if ((nativeEvent as InputEvent).isComposing) setComposed(currentTarget.value)
      else read(currentTarget.value)
    },
    onCompositionEnd: ({ currentTarget }: CompositionEvent<HTMLInputElement>) => {
      setComposed(undefined)
      read(currentTarget.value)
    },
  } as const
}
