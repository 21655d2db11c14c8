import { ApiError } from '#records/index.ts'

/**
 * The 503 for what this installation isn't set up for, such as payments without Stripe. It's no
 * failure, so that requests for it fill no log.
 */
export class NotSetUp extends ApiError {
  constructor(message: string) {
    super(503, message)
  }
}
