import { zodResolver } from '@hookform/resolvers/zod'
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

/** What the forms about an account are checked by; {@link lazyResolver} brings them. */
export const resolvers = {
  changeEmail: zodResolver(changeEmailForm),
  changePassword: zodResolver(changePasswordForm),
  code: zodResolver(otpForm),
  forgotPassword: zodResolver(forgotPasswordForm),
  login: zodResolver(loginForm),
  newPassword: zodResolver(newPasswordForm),
  password: zodResolver(passwordForm),
  signUp: zodResolver(signUpForm),
}
