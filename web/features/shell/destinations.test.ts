import { expect, test } from 'vitest'
import { destinations, type NavigationSection, type Viewer } from './destinations.ts'

const site = { url: 'http://localhost:3000' }
const visitor: Viewer = { username: undefined, site, pathname: '/' }
const reader: Viewer = { username: 'quiet-otter-7', site, pathname: '/u/quiet-otter-7/books' }

const links = (place: NavigationSection, viewer: Viewer) =>
  destinations(place, viewer).map(({ label, href }) => `${label} ${href}`)

test('what belongs to a reader leads a visitor to sign in', () => {
  expect(links('library', visitor)).toEqual([
    'Books /login',
    'Shelves /login',
    'Wishlist /login',
    'Diary /login',
  ])
  expect(links('library', reader)).toEqual([
    'Books /u/quiet-otter-7/books',
    'Shelves /u/quiet-otter-7/shelves',
    'Wishlist /u/quiet-otter-7/wishlist',
    'Diary /u/quiet-otter-7/diary',
  ])
})

test('home is the landing page for a visitor and Explore for a reader', () => {
  expect(links('bottom', visitor)).toEqual([
    'Home /',
    'Explore /explore',
    'Scan /login',
    'Profile /login',
  ])
  expect(links('bottom', reader)).toEqual([
    'Home /explore',
    'Books /u/quiet-otter-7/books',
    'Scan #scan',
    'Profile /u/quiet-otter-7',
  ])
})

test('the roadmap is shown only where the operator has one', () => {
  expect(links('top', visitor)).toEqual(['Explore /explore', 'Users /users', 'Pricing /pricing'])
  const roadmap = 'https://roadmap.example/'
  const [, , , entry] = destinations('top', { ...visitor, site: { ...site, roadmap } })
  expect(entry).toMatchObject({ label: 'Roadmap', href: roadmap, external: true, current: false })
})

test('the screen that is open is marked, and in the bottom bar the profile with all its tabs', () => {
  const current = (place: NavigationSection, viewer: Viewer) =>
    destinations(place, viewer).flatMap((entry) => (entry.current ? [entry.label] : []))
  expect(current('library', reader)).toEqual(['Books'])
  expect(current('bottom', reader)).toEqual(['Books'])
  const shelves = { ...reader, pathname: '/u/quiet-otter-7/shelves' }
  expect(current('bottom', shelves)).toEqual(['Profile'])
  expect(current('account', reader)).toEqual([])
  for (const period of ['year', '2024', '2024-03'])
    expect(current('tabs', { ...reader, pathname: `/u/quiet-otter-7/${period}` })).toEqual(['Year'])
  expect(current('bottom', visitor)).toEqual(['Home'])
  // Scan and Profile lead there, and are not there.
  expect(current('bottom', { ...visitor, pathname: '/login' })).toEqual([])
})

test('a second tap on the profile leads to its books', () => {
  const profile = (pathname: string) => links('bottom', { ...reader, pathname }).at(-1)
  expect(profile('/explore')).toBe('Profile /u/quiet-otter-7')
  expect(profile('/u/quiet-otter-7')).toBe('Profile /u/quiet-otter-7/books')
  expect(profile('/u/quiet-otter-7/books')).toBe('Profile /u/quiet-otter-7')
  const signingIn = { ...visitor, pathname: '/login' }
  expect(links('bottom', signingIn).at(-1)).toBe('Profile /login')
})
