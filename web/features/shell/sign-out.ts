import { errorMessage } from '#web/api/errors.ts'
import { useSignOutMutation } from '#web/api/sign-out.ts'
import { toast } from '#web/ui/toast.tsx'

/** Signs out, and shows a message if that fails. */
export function useSignOut() {
  return useSignOutMutation((error) => toast.error(errorMessage(error)))
}
