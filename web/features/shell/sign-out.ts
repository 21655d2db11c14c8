import { errorMessage } from '#web/api/errors.ts'
import { useSignOut as useEnd } from '#web/api/sign-out.ts'
import { toast } from '#web/ui/toast.tsx'

/** Logout, wherever it stands. */
export function useSignOut() {
  return useEnd((error) => toast.error(errorMessage(error)))
}
