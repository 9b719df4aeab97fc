import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import type { Case } from '../lib/case.ts';
import { takeTurns } from '../lib/rounds.ts';
import { loadStartJar } from '../lib/testing.ts';

export const inProcessStart: Case = {
  name: 'in-process-start',
  summary:
    'startJar() in a test suite, against opening a SQLite database in memory and letting a Fastify app with one route listen.',
  async run({ quick }) {
    const startJar = await loadStartJar();
    const figures = await takeTurns(quick ? 5 : 21, { fastify: startFastify, jar: () => startAndClose(startJar) });
    return [
      {
        title: 'start in process',
        unit: 'ms',
        baseline: { name: 'Fastify and SQLite', values: figures.fastify },
        subject: { name: 'startJar()', values: figures.jar },
        note: 'The first start of a process, which also loads the code, is the round that does not count.',
      },
    ];
  },
};

async function startAndClose(start: () => Promise<{ close(): Promise<void> }>): Promise<number> {
  const began = performance.now();
  const started = await start();
  const took = performance.now() - began;
  await started.close();
  return took;
}

function startFastify(): Promise<number> {
  return startAndClose(async () => {
    const db = new DatabaseSync(':memory:');
    db.exec('CREATE TABLE docs (key TEXT PRIMARY KEY, body TEXT NOT NULL)');
    const select = db.prepare('SELECT body FROM docs WHERE key = ?');
    const app = Fastify({ logger: false });
    app.get<{ Params: { id: string } }>('/docs/:id', (request, reply) => reply.send(select.get(request.params.id)));
    await app.listen({ host: '127.0.0.1', port: 0 });
    return {
      async close() {
        await app.close();
        db.close();
      },
    };
  });
}
