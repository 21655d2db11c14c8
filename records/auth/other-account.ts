import { ApiError } from '../errors.ts'

/** @returns the refusal of a sign-in that was meant for another account than it led to */
export function otherAccount(): ApiError {
  return new ApiError(400, 'Failed to authenticate.', {
    account: {
      code: 'validation_values_mismatch',
      message: 'That was another account. Sign in with the one you were using.',
    },
  })
}
