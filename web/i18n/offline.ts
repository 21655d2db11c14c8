import catalogue from 'messages/offline'
import { area } from './area.ts'
import type messages from './messages/en/offline.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
