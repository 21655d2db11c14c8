import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useId, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import {
  maxImportFileMegabytes,
  maxImportFileBytes,
  importFormats,
  type ImportRecord,
} from '#shared/import.ts'
import { useApi } from '#web/api/context.ts'
import { errorMessage } from '#web/api/errors.ts'
import { createImport, importsQuery, useLiveImports } from '#web/api/imports.ts'
import { useSession } from '#web/api/session.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Section } from '#web/ui/page-shell.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { HowToGet } from './how-to-get.tsx'
import { t } from '#web/i18n/import.ts'
import { parseTimestamp, useLocalDate } from '#web/ui/timestamp.tsx'
import { keys } from '#web/api/query-keys.ts'
import { FileButton, useFileDrop } from '#web/ui/file-button.tsx'

/** The upload of a file, and the earlier imports with their results. */
export function ImportHome() {
  return (
    <div className="grid grid-cols-1 gap-10">
      <FileDrop />
      <Section title={t('howToGet')} className="mb-0">
        <HowToGet />
      </Section>
      <Imports />
    </div>
  )
}

function FileDrop() {
  const api = useApi()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const id = useId()
  const [problem, setProblem] = useState('')
  const send = useMutation({
    mutationFn: (file: File) => createImport(api, file),
    onSuccess: async (made) => {
      void queries.invalidateQueries({ queryKey: keys.imports })
      await navigate(`/account/imports/${made.id}`)
    },
    onError: (error) => setProblem(errorMessage(error)),
  })

  function choose([file]: File[]): void {
    if (!file || send.isPending) return
    const isTooLarge = file.size > maxImportFileBytes
    setProblem(isTooLarge ? t('fileTooLarge', { megabytes: maxImportFileMegabytes }) : '')
    if (!isTooLarge) send.mutate(file)
  }
  const { isOver, dropZone } = useFileDrop(choose)
  return (
    <div
      {...dropZone}
      className={classNames(
        'grid justify-items-center gap-3 rounded-md border border-dashed bg-surface px-5 py-10 text-center',
        isOver ? 'border-rubric' : 'border-line-strong/60',
      )}
    >
      <FileUp aria-hidden className="size-8 stroke-[1.25] text-ink-faint" />
      <p id={`${id}-label`} className="max-w-prose text-ink-soft">
        {t('dropHint')}
      </p>
      <FileButton
        variant="primary"
        accept=".csv,.tsv,.txt,.json,.zip,.xlsx,.db,.sqlite,.lua,text/csv,text/plain"
        aria-describedby={`${id}-label ${id}-problem`}
        aria-invalid={problem ? true : undefined}
        onFiles={choose}
      >
        {send.isPending ? <Spinner /> : null}
        {t(send.isPending ? 'sending' : 'chooseFile')}
      </FileButton>
      <p id={`${id}-problem`} aria-live="polite" className="min-h-5 text-sm text-danger">
        {problem}
      </p>
    </div>
  )
}

function Imports() {
  const user = useSession()?.user.id ?? ''
  useLiveImports(user)
  const { data: imports = [] } = useQuery({ ...importsQuery(useApi(), user), enabled: user !== '' })
  if (!imports.length) return null
  return (
    <Section title={t('yourImports')} className="mb-0">
      <ul className="border-t border-line">
        {imports.map((one) => (
          <li key={one.id} className="border-b border-line">
            <Link
              to={`/account/imports/${one.id}`}
              className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3 hover:text-rubric"
            >
              <span className="font-medium">{nameOf(one)}</span>
              <span className="text-sm text-ink-soft tabular-nums">
                <State one={one} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** @returns what a file is called: by where it comes from */
export function nameOf({ format }: ImportRecord): string {
  if (!format) return t('yourFile')
  if (format === 'isbns' || format === 'table') return t(`format.${format}`)
  return importFormats[format]
}

function State({ one: { state, applied, created } }: { one: ImportRecord }) {
  const day = useLocalDate(parseTimestamp(created))
  return t('onState', { state: t(`state.${state}`, { count: applied }), day })
}
