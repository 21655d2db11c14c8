import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

/** Every screen of Octavo. The first group is read by visitors, the second is the library. */
export default [
  layout('routes/public-layout.tsx', [
    index('routes/landing.tsx'),
    route('login', 'routes/login.tsx'),
    route('signup', 'routes/signup.tsx'),
    ...['auth/google', 'auth/oidc', 'auth/oidc2', 'auth/oidc3'].map((path) =>
      route(path, 'routes/auth-provider.tsx', { id: path }),
    ),
    route('users', 'routes/users.tsx'),
    route('welcome', 'routes/welcome.tsx'),
    route('menu', 'routes/menu.tsx'),
    route('pricing', 'routes/pricing.tsx'),
    route('contact', 'routes/contact.tsx'),
    route('privacy', 'routes/privacy.tsx'),
    route('terms', 'routes/terms.tsx'),
    route('book/:slug', 'routes/book.tsx'),
    route('u/:username/books/:bookId', 'routes/reader-book.tsx'),
    route('u/:username/books/:bookId/finished', 'routes/finished-book.tsx'),
    route('series/:seriesId/:name?', 'routes/series.tsx'),
    route('author/:authorId/:name?', 'routes/author.tsx'),
    route('account', 'routes/account.tsx'),
    route('account/settings', 'routes/account-settings.tsx'),
    route('account/removed', 'routes/account-removed.tsx'),
    route('account/connections', 'routes/account-connections.tsx'),
    route('account/imports', 'routes/account-imports.tsx'),
    route('account/imports/:importId', 'routes/account-import.tsx'),
    route('account/edit', 'routes/account-edit.tsx'),
    route('auth/forgot-password', 'routes/forgot-password.tsx'),
    route('auth/reset-password', 'routes/reset-password.tsx'),
    route('auth/confirm-verification', 'routes/confirm-verification.tsx'),
    route('auth/confirm-email-change', 'routes/confirm-email-change.tsx'),
    route('admin/:section?', 'routes/admin.tsx'),
    route('*', 'routes/not-found.tsx'),
  ]),
  layout('routes/library-layout.tsx', [
    route('explore', 'routes/explore.tsx'),
    route('shelf/:shelfId', 'routes/shelf.tsx'),
    // No reader can have this name: here the query names the reader.
    ...['u', 'u/books', 'u/shelves', 'u/wishlist'].map((path) =>
      route(path, 'routes/profile-of-query.tsx', { id: path }),
    ),
    route('u/:username', 'routes/profile-layout.tsx', [
      index('routes/profile.tsx'),
      route('books', 'routes/books.tsx'),
      route('shelves', 'routes/shelves.tsx'),
      route('wishlist', 'routes/wishlist.tsx'),
      route('diary', 'routes/diary.tsx'),
      route('stats', 'routes/stats.tsx'),
      route('tags', 'routes/tags.tsx'),
      // A year such as 2026, a month such as 2026-03, or "year" for the present one.
      route(':period', 'routes/year.tsx'),
    ]),
  ]),
] satisfies RouteConfig
