import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'
import { t } from '#web/i18n/shell.ts'

/** Pass `autoComplete` "current-password" or "new-password". */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'trailing'>) {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      dir="ltr"
      type={shown ? 'text' : 'password'}
      trailing={
        <IconButton
          label={shown ? t('hidePassword') : t('showPassword')}
          className="script-only"
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        </IconButton>
      }
    />
  )
}
