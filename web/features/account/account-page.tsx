import type { ReactNode } from 'react'
import { Container } from '#web/ui/page-shell.tsx'

/** The sheet on which signing in and signing up are written. */
export function AccountPage(props: {
  title: string
  description?: ReactNode
  children: ReactNode
  foot?: ReactNode
}) {
  const { title, description, children, foot } = props
  return (
    <Container width="narrow">
      <div className="mx-auto grid max-w-md gap-6 md:py-6">
        <div className="rounded-md border-line md:border md:bg-surface md:px-8 md:py-8">
          <header className="mb-6 grid gap-2">
            <h1 className="text-2xl">{title}</h1>
            {description ? <p className="text-sm text-ink-soft">{description}</p> : null}
          </header>
          {children}
        </div>
        {foot ? <p className="text-center text-sm text-ink-soft">{foot}</p> : null}
      </div>
    </Container>
  )
}
