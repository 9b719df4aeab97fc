import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { freePort, startJarProcess } from '../lib/contenders.ts';
import { mailsPerSecond } from '../lib/mail-sender.ts';
import { takeTurns } from '../lib/rounds.ts';
import { type ServerProcess, startServer } from '../lib/server-process.ts';

/** The limit per address is 20; connections of the previous round may still be closing. */
const CONNECTIONS = [1, 8, 16];

export const mailIntake: Case = {
  name: 'mail-intake',
  summary:
    'Mails of a kilobyte acknowledged per second: parsed, put into a mailbox with words for searches, source and change record, and on disk before each reply.',
  async run(context) {
    const bare = await startBareServer(join(context.folder, 'bare'));
    const smtpPort = await freePort();
    const jar = await startJarProcess(join(context.folder, 'jar'), ['--smtp-port', String(smtpPort)]);
    try {
      const found: Comparison[] = [];
      for (const connections of CONNECTIONS)
        found.push(await compare(context, Number(new URL(bare.url).port), smtpPort, connections));
      return found;
    } finally {
      await Promise.all([bare.stop(), jar.stop()]);
    }
  },
};

function startBareServer(folder: string): Promise<ServerProcess> {
  mkdirSync(folder, { recursive: true });
  const program = fileURLToPath(new URL('../baseline/smtp.mjs', import.meta.url));
  return startServer({ args: [program, folder], cwd: folder, ready: /ready on (smtp:\S+)/ });
}

async function compare(
  { quick, say }: CaseContext,
  barePort: number,
  jarPort: number,
  connections: number,
): Promise<Comparison> {
  const mails = quick ? 200 : 800;
  say(`${mails} mails over ${connections} connections`);
  let round = 0;
  const into = (port: number) => () => mailsPerSecond(port, mails, connections, `${connections}-${round++}`);
  const figures = await takeTurns(quick ? 3 : 11, { bare: into(barePort), jar: into(jarPort) }, { warmUps: 2 });
  return {
    title: `mails over ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
    unit: 'requests/s',
    baseline: { name: '`smtp-server` that writes each to a synced file', values: figures.bare },
    subject: { name: 'jar', values: figures.jar },
    target: { atLeast: 0.3 },
    note: 'Mails, not requests.',
  };
}
