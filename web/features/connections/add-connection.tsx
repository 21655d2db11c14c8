import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useForm } from 'react-hook-form'
import type * as z from 'zod'
import { connectionForm, type NewConnection } from '#shared/connection.ts'
import { addConnection } from '#web/api/connections.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { keys } from '#web/api/query-keys.ts'
import { t } from '#web/i18n/connections.ts'
import { Button } from '#web/ui/button.tsx'
import { formResolver } from '#web/ui/form-resolver.ts'
import { TextField } from '#web/ui/text-field.tsx'

const nameForm = connectionForm.pick({ name: true })

/** Names a device and connects it. */
export function AddConnection({ onAdded }: { onAdded: (connection: NewConnection) => void }) {
  const api = useApi()
  const queries = useQueryClient()
  const form = useForm<z.input<typeof nameForm>, unknown, z.output<typeof nameForm>>({
    resolver: formResolver(nameForm),
    defaultValues: { name: '' },
  })
  const add = useMutation({
    mutationFn: ({ name }: { name: string }) => addConnection(api, name),
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
        hint={t('nameHint')}
        autoComplete="off"
        error={form.formState.errors.name?.message}
        {...form.register('name')}
      />
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        icon={<Plus />}
        pending={add.isPending}
      >
        {t('addKoreader')}
      </Button>
    </form>
  )
}
