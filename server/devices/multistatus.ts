import type { DeviceFile } from './device-files.ts'
import { encodeDavPath } from './dav-path.ts'

/**
 * What a PROPFIND answers. KOReader finds the elements by their prefix.
 *
 * @param root the path of the site's WebDAV, such as `/dav`
 */
export function multistatus(root: string, files: readonly DeviceFile[]): string {
  const responses = files.map((file) => responseOf(root, file)).join('\n')
  return `<?xml version="1.0" encoding="utf-8"?>
<d:multistatus xmlns:d="DAV:">
${responses}
</d:multistatus>
`
}

function responseOf(root: string, { path, isFolder, size, hash, modified }: DeviceFile): string {
  // Everything but letters and digits is percent-encoded, except for a few signs.
  const name = encodeDavPath(path).replaceAll("'", '%27')
  const href = `${root}/${name}${isFolder && path ? '/' : ''}`
  const properties = isFolder
    ? '<d:resourcetype><d:collection/></d:resourcetype>'
    : `<d:resourcetype/>
<d:getcontentlength>${size}</d:getcontentlength>
<d:getlastmodified>${modified.toUTCString()}</d:getlastmodified>
<d:getetag>"${hash}"</d:getetag>`
  return `<d:response>
<d:href>${href}</d:href>
<d:propstat>
<d:prop>
${properties}
</d:prop>
<d:status>HTTP/1.1 200 OK</d:status>
</d:propstat>
</d:response>`
}
