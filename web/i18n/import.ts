import catalogue from 'messages/import'
import { area } from './area.ts'
import type messages from './messages/en/import.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
