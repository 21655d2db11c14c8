import catalogue from 'messages/shell'
import { area } from './area.ts'
import type messages from './messages/en/shell.json'

export const { t, rich } = area<keyof typeof messages>(catalogue)
