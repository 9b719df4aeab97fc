// The bare program that the jar is compared with: Fastify and a SQLite file, without any of the jar's other functions. usage: node
// documents.mjs FILE
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';

const db = new DatabaseSync(process.argv[2] ?? ':memory:');
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
db.exec('CREATE TABLE IF NOT EXISTS docs (key TEXT PRIMARY KEY, body TEXT NOT NULL)');
const select = db.prepare('SELECT body FROM docs WHERE key = ?');
const upsert = db.prepare('INSERT OR REPLACE INTO docs (key, body) VALUES (?, ?)');

const app = Fastify({ logger: false });

app.get('/docs/:id', (request, reply) => {
  const row = select.get(request.params.id);
  if (row === undefined) return reply.code(404).send({ error: 'not found' });
  return reply.send(JSON.parse(row.body));
});

app.put('/docs/:id', (request, reply) => {
  upsert.run(request.params.id, JSON.stringify(request.body));
  return reply.code(200).send(request.body);
});

const url = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`ready on ${url}`);

process.once('SIGTERM', async () => {
  await app.close();
  db.close();
});
