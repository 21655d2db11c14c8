// Imported before anything else: React decides at its first import which of its two builds it is,
// and the one for development renders a page several times slower.
process.env['NODE_ENV'] ??= process.argv.includes('--dev') ? 'development' : 'production'
