import catalogue from 'messages/directory'
import { area } from './area.ts'
import type messages from './messages/en/directory.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
