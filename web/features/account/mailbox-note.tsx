import { useHasMailServer } from '#web/api/site.ts'

/** Says where an email is on a site without a mail server; nothing on any other. */
export function MailboxNote() {
  if (useHasMailServer()) return null
  return (
    <span className="block text-sm text-ink-soft">
      This site has no mail server, so emails wait in its mailbox. Open it with the mailbox link
      that Octavo prints when it starts, or ask the administrator of this site.
    </span>
  )
}
