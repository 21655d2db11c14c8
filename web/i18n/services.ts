import catalogue from 'messages/services'
import { area } from './area.ts'
import type messages from './messages/en/services.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
