import { useSite } from '#web/api/site.ts'
import { PageAddress } from '#web/i18n/page-address.tsx'

/**
 * Title, description, own address and link preview of a page; React moves them into the head.
 *
 * @param props.feed path of the Atom feed of what the page shows; absent where nobody else may see it
 * @param props.picture path of the picture of link previews; Octavo's own by default
 */
export function PageMeta(props: {
  title: string
  description: string
  path: string
  feed?: string | undefined
  picture?: string | undefined
}) {
  const { title, description, path, feed, picture = '/previews/octavo.jpg' } = props
  const { url } = useSite()
  return (
    <>
      <title>{`${title} | Octavo`}</title>
      <meta name="description" content={description} />
      <PageAddress url={url + path} />
      {feed ? <link rel="alternate" type="application/atom+xml" href={url + feed} /> : null}
      <meta property="og:site_name" content="Octavo" />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url + path} />
      <meta property="og:image" content={url + picture} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}
