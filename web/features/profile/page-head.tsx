import { useSite } from '#web/api/site.ts'

/** Title, description and own address of a page; React moves them into the head. */
export function PageHead(props: { title: string; description: string; path: string }) {
  const { title, description, path } = props
  return (
    <>
      <title>{`${title} | Octavo`}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={`${useSite().url}${path}`} />
    </>
  )
}
