import {
  changeEmailForm,
  changePasswordForm,
  forgotPasswordForm,
  loginForm,
  newPasswordForm,
  otpForm,
  passwordForm,
  signUpForm,
} from '#shared/account-forms.ts'
import { formResolver } from '#web/ui/form-resolver.ts'

/** The validation of the account's forms, loaded by {@link accountResolver}. */
export const resolvers = {
  changeEmail: formResolver(changeEmailForm),
  changePassword: formResolver(changePasswordForm),
  code: formResolver(otpForm),
  forgotPassword: formResolver(forgotPasswordForm),
  login: formResolver(loginForm),
  newPassword: formResolver(newPasswordForm),
  password: formResolver(passwordForm),
  signUp: formResolver(signUpForm),
}
