import catalogue from 'messages/webhooks'
import { area } from './area.ts'
import type messages from './messages/en/webhooks.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
