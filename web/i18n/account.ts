import catalogue from 'messages/account'
import { area } from './area.ts'
import type messages from './messages/en/account.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
