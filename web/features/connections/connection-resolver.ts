import { connectionForm } from '#shared/connection.ts'
import { formResolver } from '#web/ui/form-resolver.ts'

/** Checks the name of a connection. */
export const connectionResolver = formResolver(connectionForm.pick({ name: true }))
