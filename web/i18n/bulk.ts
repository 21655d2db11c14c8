import catalogue from 'messages/bulk'
import { area } from './area.ts'
import type messages from './messages/en/bulk.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
