import catalogue from 'messages/admin'
import { area } from './area.ts'
import type messages from './messages/en/admin.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
