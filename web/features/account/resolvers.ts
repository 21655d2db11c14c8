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

/** The validation of the account's forms, loaded by {@link lazyResolver}. */
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
