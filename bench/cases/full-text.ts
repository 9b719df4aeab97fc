import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { boolean, collection, number, openPostgres, openSqlite, text } from '../../src/kernel/store/index.ts';
import type { Filter, Store } from '../../src/kernel/store/types.ts';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import type { Case, CaseContext, Comparison, Target } from '../lib/case.ts';
import { takeTurns, timed } from '../lib/rounds.ts';

const FEW = 1000;
const PAGE = 25;
const BATCH = 1000;
const WORDS_IN_A_BODY = 100;
const VOCABULARY = 20_000;
const BOX = 'box';

interface Message {
  readonly box: string;
  readonly at: number;
  readonly unread: boolean;
  readonly subject: string;
  readonly body: string;
}

const fields = {
  box: text<Message>((message) => message.box),
  at: number<Message>((message) => message.at),
  unread: boolean<Message>((message) => message.unread),
};
const indexes = [
  ['box', 'at'],
  ['box', 'unread', 'at'],
];
const searched = collection<Message>('bench.searched', {
  fields,
  indexes,
  search: { parts: ['subject', 'body'], within: 'box', of: ({ subject, body }) => ({ subject, body }) },
});
const unsearched = collection<Message>('bench.unsearched', { fields, indexes, wide: true });

/** Word frequencies as in a language: the first words occur in nearly every message, most words hardly ever. */
const anyWord = (): string => `w${Math.floor(Math.random() ** 3 * VOCABULARY).toString(36)}`;

function messageOf(i: number, of: number): Message {
  const words = Array.from({ length: WORDS_IN_A_BODY }, anyWord);
  words.push('regards');
  if (i % 2 === 0) words.push('meeting');
  if (i % 100 === 0) words.push('quarterly', 'report');
  if (i % Math.floor(of / 5) === 1) words.push('seldom');
  if (i < of / 2) words.push('bygone');
  return { box: BOX, at: i, unread: i % 3 === 0, subject: `message ${i}`, body: words.join(' ') };
}

const word = (phrase: string, prefix = false): Filter => ({
  op: 'matches',
  within: BOX,
  parts: ['subject', 'body'],
  phrase,
  prefix,
});
const inBox: Filter = { op: 'eq', field: 'box', value: BOX };
const unread: Filter = { op: 'eq', field: 'unread', value: true };

/** The newest page of each query; queries without a target are informative, because no figure fits both lengths of list. */
const QUESTIONS: Readonly<Record<string, { readonly filter: Filter; readonly target?: Target }>> = {
  'without a search': { filter: inBox, target: { atMost: 3 } },
  'unread, without a search': { filter: { op: 'and', args: [inBox, unread] }, target: { atMost: 3 } },
  'with a word in 5 messages': { filter: word('seldom'), target: { atMost: 3 } },
  'with a word in every message': { filter: word('regards'), target: { atMost: 3 } },
  'with a word in every other message': { filter: word('meeting'), target: { atMost: 3 } },
  'with the beginning of a word in 5 messages': { filter: word('seldo', true) },
  'with the beginning of a word in every message': { filter: word('regar', true), target: { atMost: 3 } },
  'unread, with a word in every message': {
    filter: { op: 'and', args: [unread, word('regards')] },
    target: { atMost: 3 },
  },
  'with a phrase in every hundredth message': { filter: word('quarterly report') },
  'with a word in the older half of the messages': { filter: word('bygone') },
};

export const fullText: Case = {
  name: 'full-text',
  summary: `The newest ${PAGE} messages of a mailbox, with and without a search, over few and over many; and what the index costs a write.`,
  async run(context) {
    mkdirSync(context.folder, { recursive: true });
    const server = await startPostgres();
    try {
      const onFile = (name: string): Promise<Store> =>
        openSqlite({ file: join(context.folder, `${name}.db`), collections: [searched, unsearched] });
      const onServer = async (): Promise<Store> =>
        openPostgres({ url: await createDatabase(server.url, 'bench'), collections: [searched, unsearched] });
      return [...(await compare(context, 'SQLite', onFile)), ...(await compare(context, 'PostgreSQL', onServer))];
    } finally {
      await server.stop();
    }
  },
};

async function compare(
  context: CaseContext,
  engine: string,
  open: (name: string) => Promise<Store>,
): Promise<Comparison[]> {
  const { quick, say } = context;
  const many = quick ? 20_000 : 100_000;
  const short = await filled(context, engine, await open('few'), FEW);
  const long = await filled(context, engine, await open('many'), many);
  const found: Comparison[] = [];
  for (const [title, { filter, target }] of Object.entries(QUESTIONS)) {
    say(`${engine}: messages ${title}`);
    const pages = quick || !target ? 5 : 40;
    const figures = await takeTurns(quick ? 3 : 11, {
      short: () => averagePage(short, filter, pages),
      long: () => averagePage(long, filter, pages),
    });
    found.push({
      title: `messages ${title}, ${engine}`,
      unit: 'ms',
      baseline: { name: `over ${FEW.toLocaleString('en')}`, values: figures.short },
      subject: { name: `over ${many.toLocaleString('en')}`, values: figures.long },
      ...(target && { target }),
    });
  }
  found.push(await compareWrites(context, engine, long, many));
  await Promise.all([short.close(), long.close()]);
  return found;
}

async function filled({ say }: CaseContext, engine: string, store: Store, count: number): Promise<Store> {
  say(`${engine}: writing ${count} messages`);
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, i) => from + i);
    const messages = batch.map((i) => [keyOf(i), messageOf(i, count)] as const);
    await store.transact((tx) => tx.putAll(searched, messages));
  }
  return store;
}

/** Unordered, like ids. */
const keyOf = (i: number): string => `${((i * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}-${i}`;

/** Milliseconds per page, averaged over `pages`. */
async function averagePage(store: Store, filter: Filter, pages: number): Promise<number> {
  const ms = await timed(async () => {
    for (let i = 0; i < pages; i++) {
      const query = { filter, order: [{ field: 'at', descending: true }], limit: PAGE };
      const { items } = await store.query(searched, query);
      if (items.length === 0) throw new Error(`nothing was found by ${JSON.stringify(filter)}`);
    }
  });
  return ms / pages;
}

/** New messages, each in its own transaction. */
async function compareWrites({ quick, say }: CaseContext, engine: string, store: Store, many: number) {
  say(`${engine}: writing messages one by one`);
  const writes = quick ? 20 : 100;
  let next = many;
  const average = async (into: typeof searched): Promise<number> => {
    const messages = Array.from({ length: writes }, () => messageOf(next++, many));
    const ms = await timed(async () => {
      for (const message of messages)
        await store.transact((tx) => tx.put(into, keyOf(message.at), message, { ifNoneMatch: '*' }));
    });
    return ms / writes;
  };
  const figures = await takeTurns(quick ? 3 : 11, {
    plain: () => average(unsearched),
    indexed: () => average(searched),
  });
  return {
    title: `a new message of ${WORDS_IN_A_BODY} words, committed, ${engine}`,
    unit: 'ms',
    baseline: { name: 'without full text', values: figures.plain },
    subject: { name: 'with it', values: figures.indexed },
  } as const;
}
