import catalogue from 'messages/finish'
import { area } from './area.ts'
import type messages from './messages/en/finish.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
