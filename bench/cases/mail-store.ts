import { join } from 'node:path';
import { openJar, type RunningJar } from '../../src/jar/index.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import { analyze } from '../lib/analyze.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { fillInbox } from '../lib/mailbox-filling.ts';
import { takeTurns } from '../lib/rounds.ts';

const FEW = 1000;
const PAGE = 25;

/** Typical requests of mailbox clients. */
const QUESTIONS: Readonly<Record<string, string>> = {
  'the newest of the inbox': `mailFolders/inbox/messages?$top=${PAGE}`,
  'the newest of all folders, two properties': `messages?$top=${PAGE}&$select=subject,from`,
  'the oldest': `mailFolders/inbox/messages?$top=${PAGE}&$orderby=receivedDateTime`,
  'a page behind the first ones': `mailFolders/inbox/messages?$top=${PAGE}&$skip=500`,
  unread: `mailFolders/inbox/messages?$top=${PAGE}&$filter=isRead eq false`,
  'of a sender': `messages?$top=${PAGE}&$filter=from/emailAddress/address eq 'sender7@fabrikam.example'`,
  'received since a time': `messages?$top=${PAGE}&$filter=receivedDateTime ge 2024-01-01T10:00:00Z&$orderby=receivedDateTime`,
  'with a word in 5 messages': `messages?$top=${PAGE}&$search="seldom"`,
  'with a word in every other message': `messages?$top=${PAGE}&$search="meeting"`,
  'with a word in every message, of a sender': `messages?$top=${PAGE}&$search="regards AND from:sender7"`,
};

export const mailStore: Case = {
  name: 'mail-store',
  summary: `Pages of ${PAGE} messages over HTTP: lists, filters and searches of a mailbox with few messages and of one with many.`,
  async run(context) {
    const onFolder = (name: string) => ({ data: join(context.folder, name) });
    const server = await startPostgres();
    try {
      const onServer = async () => ({ databaseUrl: await createDatabase(server.url, 'bench') });
      return [
        ...(await compare(context, 'SQLite', onFolder('few'), onFolder('many'))),
        ...(await compare(context, 'PostgreSQL', await onServer(), await onServer())),
      ];
    } finally {
      await server.stop();
    }
  },
};

type Place = { readonly data: string } | { readonly databaseUrl: string };

async function compare(
  { quick, say }: CaseContext,
  engine: string,
  few: Place,
  many: Place,
): Promise<readonly Comparison[]> {
  const messages = quick ? 10_000 : 100_000;
  say(`${engine}: writing ${messages} messages`);
  const [short, long] = [await Inbox.open(few, FEW), await Inbox.open(many, messages)];
  const found: Comparison[] = [];
  for (const [title, question] of Object.entries(QUESTIONS)) {
    say(`${engine}: messages, ${title}`);
    const pages = quick ? 5 : 40;
    const figures = await takeTurns(quick ? 3 : 11, {
      short: () => short.averagePage(question, pages),
      long: () => long.averagePage(question, pages),
    });
    found.push({
      title: `messages, ${title}, ${engine}`,
      unit: 'ms',
      baseline: { name: `of ${FEW.toLocaleString('en')}`, values: figures.short },
      subject: { name: `of ${messages.toLocaleString('en')}`, values: figures.long },
      target: { atMost: 3 },
    });
  }
  await Promise.all([short.close(), long.close()]);
  return found;
}

/** A jar with messages in the administrator's mailbox. */
class Inbox {
  readonly #running: RunningJar;
  readonly #token: string;

  private constructor(running: RunningJar, token: string) {
    this.#running = running;
    this.#token = token;
  }

  static async open(place: Place, messages: number): Promise<Inbox> {
    const flags = { port: 0, httpsPort: 0, smtpPort: 0, clock: 'virtual', ...place };
    const running = await openJar({ config: loadConfig({ flags, env: {}, cwd: '/' }), logLevel: 'error' });
    await fillInbox(running, messages);
    if ('databaseUrl' in place) await analyze(place.databaseUrl);
    const authorization = `Bearer ${running.adminKey}`;
    const body = JSON.stringify({ ttl: '365d' });
    const answer = await fetch(`${running.url}/_jar/tokens`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });
    const { access_token: token } = (await answer.json()) as { readonly access_token: string };
    return new Inbox(running, token);
  }

  /** Milliseconds per page, averaged over `pages`. */
  async averagePage(question: string, pages: number): Promise<number> {
    const began = performance.now();
    for (let i = 0; i < pages; i++) {
      const answer = await fetch(`${this.#running.url}/v1.0/me/${question}`, {
        headers: { authorization: `Bearer ${this.#token}` },
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${question} answered ${answer.status} ${text}`);
      if ((JSON.parse(text) as { readonly value: readonly unknown[] }).value.length === 0)
        throw new Error(`nothing was found by ${question}`);
    }
    return (performance.now() - began) / pages;
  }

  close(): Promise<void> {
    return this.#running.close();
  }
}
