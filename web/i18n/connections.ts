import catalogue from 'messages/connections'
import { area } from './area.ts'
import type messages from './messages/en/connections.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
