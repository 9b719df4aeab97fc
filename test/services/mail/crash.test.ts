import { createTransport } from 'nodemailer';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { adminKey, type StartedJar, startCli } from '../../cli/cli.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { invitationMail, type Sender, senderNames } from './fixtures/mails.ts';
import { ANN, meeting } from './fixtures/meeting.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const KILLS = SOAK ? 20 : 3;
/** Mails acknowledged between two kills. */
const BETWEEN = 8;
const CLIENTS = 4;

const RECIPIENTS = { admin: 'admin@vendor.example', licensed: 'licensed@vendor.example' } as const;
const USERS = ['admin', 'licensed'] as const;
const GUESTS = USERS.map((user) => ({ name: user, address: RECIPIENTS[user] }));

/** Invitations to different meetings, for two mailboxes. The same number yields the same bytes. */
function mailOf(number: number): Buffer {
  const sender = senderNames[number % senderNames.length] as Sender;
  const whole = meeting({ uid: `meeting-${number}@organizer.example`, attendees: GUESTS });
  return invitationMail(sender, whole, { subject: `No. ${number}`, messageId: `<${number}@organizer.example>` });
}

/** Sends mail over several connections, and sends it again after a connection breaks, until it is acknowledged. */
class Intake {
  readonly acknowledged = new Set<number>();
  readonly open = new Set<number>();
  #next = 0;

  /**
   * Sends until `more` further mails are acknowledged, or the server has stopped. Calls `enough` when the last of them is acknowledged,
   * while others are still in flight.
   */
  async run(port: number, more: number, enough: () => void): Promise<void> {
    const goal = this.acknowledged.size + more;
    const transport = createTransport({
      host: '127.0.0.1',
      port,
      ignoreTLS: true,
      pool: true,
      maxConnections: CLIENTS,
    });
    const client = async (): Promise<void> => {
      while (this.acknowledged.size < goal) {
        const number = this.#next;
        this.#next += 1;
        if (!(await this.#send(transport, number))) return;
        if (this.acknowledged.size === goal) enough();
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    transport.close();
  }

  async #send(transport: ReturnType<typeof createTransport>, number: number): Promise<boolean> {
    this.open.add(number);
    try {
      await transport.sendMail({
        envelope: { from: ANN.address, to: Object.values(RECIPIENTS) },
        raw: mailOf(number),
      });
    } catch {
      return false;
    }
    this.open.delete(number);
    this.acknowledged.add(number);
    return true;
  }

  /** Sends mails again that were not acknowledged. */
  async resend(port: number): Promise<void> {
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    for (const number of [...this.open]) expect(await this.#send(transport, number)).toBe(true);
    transport.close();
  }
}

class Killed {
  jar!: StartedJar;
  readonly #args: readonly string[];
  readonly #tokens = new Map<string, string>();

  constructor(args: readonly string[]) {
    this.#args = ['--smtp-port', '0', ...args];
  }

  async start(): Promise<number> {
    this.jar = await startCli(this.#args, this.jar && { folder: this.jar.folder });
    const [, port] = await this.jar.printed(/smtp:\/\/\S+:(\d+)/);
    return Number(port);
  }

  /** How often each number occurs among the messages of the inbox, and among the events of the calendar. */
  async counts(user: string): Promise<{ messages: Map<number, number>; events: Map<number, number> }> {
    const messages = await this.#all(user, '/beta/me/mailFolders/inbox/messages?$select=subject&$top=500');
    const events = await this.#all(user, '/beta/me/events?$select=uid&$top=500');
    const numberIn = (text: string): number => Number(/\d+/.exec(text)?.[0]);
    return {
      messages: counted(messages.map(({ subject = '' }) => numberIn(subject))),
      events: counted(events.map(({ uid = '' }) => numberIn(uid))),
    };
  }

  async #all(user: string, path: string): Promise<readonly { subject?: string; uid?: string }[]> {
    const rows: { subject?: string; uid?: string }[] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const response = await fetch(this.jar.url + next, {
        headers: { authorization: `Bearer ${await this.#token(user)}` },
      });
      const page = (await response.json()) as { value: []; '@odata.nextLink'?: string };
      rows.push(...page.value);
      const link: string | undefined = page['@odata.nextLink'];
      next = link?.slice(new URL(link).origin.length);
    }
    return rows;
  }

  async #token(user: string): Promise<string> {
    const known = this.#tokens.get(user);
    if (known !== undefined) return known;
    const response = await fetch(`${this.jar.url}/_jar/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey(this.jar.folder)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ user, ttl: '365d' }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    this.#tokens.set(user, token);
    return token;
  }
}

const counted = (numbers: readonly number[]): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
};

const once = (numbers: Iterable<number>): Map<number, number> => new Map([...numbers].map((number) => [number, 1]));
const sorted = (counts: Map<number, number>): [number, number][] => [...counts].sort(([a], [b]) => a - b);

async function survives(context: TestContext, engine: 'sqlite' | 'postgres'): Promise<void> {
  const database = engine === 'postgres' ? ['--database-url', await usePostgresDatabase(context, 'intake')] : [];
  const killed = new Killed(database);
  const intake = new Intake();
  let port = await killed.start();
  onTestFinished(() => killed.jar.kill('SIGKILL'));
  for (let kill = 0; kill < KILLS; kill++) {
    await intake.run(port, BETWEEN, () => killed.jar.kill('SIGKILL'));
    await killed.jar.result;
    port = await killed.start();
    const [admin, licensed] = [await killed.counts('admin'), await killed.counts('licensed')];
    // A mail is in all of its mailboxes, with the events of its invitation, or in none.
    expect(sorted(licensed.messages)).toEqual(sorted(admin.messages));
    expect(sorted(admin.events)).toEqual(sorted(admin.messages));
    expect(sorted(licensed.events)).toEqual(sorted(admin.messages));
    const stored = new Set(admin.messages.keys());
    expect([...intake.acknowledged].filter((number) => !stored.has(number))).toEqual([]);
    expect([...stored].filter((number) => !intake.acknowledged.has(number) && !intake.open.has(number))).toEqual([]);
    expect(sorted(admin.messages)).toEqual(sorted(once(stored)));
  }
  await intake.resend(port);
  for (const user of USERS) {
    const { messages, events } = await killed.counts(user);
    expect(sorted(messages)).toEqual(sorted(once(intake.acknowledged)));
    expect(sorted(events)).toEqual(sorted(once(intake.acknowledged)));
  }
}

describe('a jar that is killed while mail arrives', () => {
  it('has every acknowledged mail exactly once, and deduplicates mail that is sent again, on SQLite', (context) =>
    survives(context, 'sqlite'));
  it('has every acknowledged mail exactly once, and deduplicates mail that is sent again, on PostgreSQL', (context) =>
    survives(context, 'postgres'));
});
