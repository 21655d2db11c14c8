import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { forgetUnseen, sessionQuery, signOut } from '#web/api/session.ts'
import { announceSignOut } from '#web/api/sign-out-notice.ts'
import { toast } from '#web/ui/toast.tsx'

/** Ends the session and leaves for the landing page; nothing read as this reader stays behind. */
export function useSignOut() {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => signOut(api),
    onSuccess: async () => {
      announceSignOut()
      queries.setQueryData(sessionQuery(api).queryKey, null)
      await navigate('/')
      forgetUnseen(queries)
    },
    onError: (error) => toast.error(errorMessage(error)),
  })
}
