// Imported before anything else: React chooses between its two builds when it is first imported,
// and the development build renders pages several times slower.
process.env['NODE_ENV'] ??= process.argv.includes('--dev') ? 'development' : 'production'
