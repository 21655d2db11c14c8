import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useForm } from 'react-hook-form'
import type { DeviceKind, NewConnection } from '#shared/connection.ts'
import { addConnection } from '#web/api/connections.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { keys } from '#web/api/query-keys.ts'
import { t } from '#web/i18n/connections.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyResolver } from '#web/ui/lazy-resolver.ts'
import { TextField } from '#web/ui/text-field.tsx'

interface NameForm {
  name: string
}

const loadResolver = async () => (await import('./connection-resolver.ts')).connectionResolver

/** Names a device or an app and connects it. */
export function AddConnection(props: {
  kind: DeviceKind
  hint: string
  submitLabel: string
  onAdded: (connection: NewConnection) => void
}) {
  const { kind, hint, submitLabel, onAdded } = props
  const api = useApi()
  const queries = useQueryClient()
  const form = useForm<NameForm>({
    resolver: lazyResolver(loadResolver),
    defaultValues: { name: '' },
  })
  const add = useMutation({
    mutationFn: ({ name }: NameForm) => addConnection(api, { kind, name }),
    onSuccess: (connection) => {
      onAdded(connection)
      return queries.invalidateQueries({ queryKey: keys.connections })
    },
    onError: (error) => form.setError('name', { message: errorMessage(error) }),
  })
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => void form.handleSubmit((values) => add.mutate(values))(event)}
    >
      <TextField
        label={t('name')}
        hint={hint}
        autoComplete="off"
        error={form.formState.errors.name?.message}
        {...form.register('name')}
      />
      <Button
        type="submit"
        needsScript
        variant="primary"
        className="justify-self-start"
        icon={<Plus />}
        pending={add.isPending}
      >
        {submitLabel}
      </Button>
    </form>
  )
}
