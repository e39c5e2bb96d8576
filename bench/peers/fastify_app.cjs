// Stored JSON out of SQLite behind the same token checks: Fastify, better-sqlite3 and jose.
const fs = require('node:fs')
const fastify = require('fastify')
const Database = require('better-sqlite3')
const env = process.env

async function main() {
  const { createLocalJWKSet, jwtVerify } = await import(require.resolve('jose'))
  const keys = createLocalJWKSet(JSON.parse(fs.readFileSync(env.BENCH_KEYS, 'utf8')))
  const store = new Database(env.BENCH_STORE, { readonly: true })
  store.pragma('mmap_size = 1073741824')
  const select = store.prepare('SELECT etag, body FROM views WHERE name = ?')
  const rules = {
    issuer: env.BENCH_ISSUER, audience: env.BENCH_AUDIENCE, algorithms: ['RS256'], requiredClaims: ['exp', 'nbf'],
  }

  const app = fastify({ logger: false })
  app.addHook('onRequest', async (request, reply) => {
    const [kind, token] = (request.headers.authorization ?? '').split(' ')
    let claims
    try {
      claims = (await jwtVerify(token, keys, rules)).payload
    } catch {
      return reply.code(401).send()
    }
    if (kind.toLowerCase() !== 'bearer' || claims.tid !== env.BENCH_TENANT) return reply.code(401).send()
    if (!claims.roles?.includes(env.BENCH_ROLE)) return reply.code(403).send()
  })
  app.get('/:name', async (request, reply) => {
    const row = select.get(request.params.name)
    if (row === undefined) return reply.code(404).send()
    reply.header('etag', row.etag)
    if (request.headers['if-none-match'] === row.etag) return reply.code(304).send()
    return reply.type('application/json').send(row.body)
  })
  await app.listen({ host: '127.0.0.1', port: Number(env.BENCH_PORT) })
}

main()
