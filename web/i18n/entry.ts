import catalogue from 'messages/entry'
import { area } from './area.ts'
import type messages from './messages/en/entry.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
