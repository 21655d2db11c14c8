import catalogue from 'messages/works'
import { area } from './area.ts'
import type messages from './messages/en/works.json'

export const { rich, t } = area<keyof typeof messages>(catalogue)
