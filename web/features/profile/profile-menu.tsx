import { Check, Link as LinkIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.tsx'

/** What can be done with a profile. Fetched because it was asked for, so it begins open. */
export default function ProfileMenu({ trigger, home }: { trigger: ReactNode; home: string }) {
  const [open, setOpen] = useState(true)
  async function copyLink(): Promise<void> {
    await navigator.clipboard.writeText(new URL(home, location.href).href)
    toast.info('copied', { duration: 3000, icon: <Check className="size-4" /> })
  }
  return (
    <Menu trigger={trigger} open={open} onOpenChange={setOpen}>
      <MenuItem
        icon={<LinkIcon />}
        onSelect={() => void copyLink().catch(() => toast.error('The link could not be copied.'))}
      >
        Copy Link
      </MenuItem>
    </Menu>
  )
}
