import { afterAll, beforeEach, describe } from 'vitest';
import { openJar, type RunningJar } from '../../../src/jar/index.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import type { Jar } from '../../../src/kernel/service/jar.ts';
import { collection } from '../../../src/kernel/store/collection.ts';
import type { NewChange, Tx } from '../../../src/kernel/store/types.ts';
import { WIDGET_PARTS } from '../../services/resources/widgets.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { type WholeFollower, wholeService } from '../../support/whole-service.ts';

/** The subjects that followers of these tests have processed, in order. */
export const heard = collection<{ readonly subjects: readonly string[] }>('test.heard');

const START = '2030-01-01T00:00:00.000Z';

/** Records the subjects of changes of the kind `good`; fails if one is repeated, which would be an error of the feed. */
export function noting(name: string, trouble?: (subject: string) => void): WholeFollower {
  return {
    name,
    wants: ({ kind }) => kind === 'good',
    async follow(tx, changes) {
      const before = (await tx.get(heard, name))?.value.subjects ?? [];
      for (const { subject } of changes) {
        trouble?.(subject);
        if (before.includes(subject)) throw new Error(`${subject} was heard twice`);
      }
      await tx.put(heard, name, { subjects: [...before, ...changes.map(({ subject }) => subject)] });
    },
  };
}

/** A jar whose only service follows the feed. */
export class ListeningJar {
  readonly #followers: readonly WholeFollower[];
  running!: RunningJar;

  constructor(followers: readonly WholeFollower[]) {
    this.#followers = followers;
  }

  get jar(): Jar {
    return this.running.jar;
  }

  async start(flags: Record<string, unknown> = {}): Promise<void> {
    const follows = this.#followers;
    const service = wholeService({ ...WIDGET_PARTS, name: 'listener', collections: [heard], follows });
    const given = { port: 0, httpsPort: 0, clock: 'virtual', clockStart: START, ...flags };
    const config = loadConfig({ flags: given, env: {}, cwd: '/' });
    this.running = await openJar({ config, inProcess: true, services: [service], logLevel: 'fatal' });
  }

  close(): Promise<void> | undefined {
    return this.running?.close();
  }

  activate(...names: readonly string[]): Promise<void> {
    return this.jar.store.transact(async (tx) => {
      for (const name of names) await this.jar.feed.activate(tx, name);
    });
  }

  deactivate(name: string): Promise<void> {
    return this.jar.store.transact((tx) => this.jar.feed.deactivate(tx, name));
  }

  change(tx: Tx, subject: string, kind = 'good'): Promise<void> {
    return tx.change(changeOf(subject, kind, this.jar.clock.now()));
  }

  /** Records the changes in one transaction. */
  changes(...subjects: readonly string[]): Promise<void> {
    return this.jar.store.transact(async (tx) => {
      for (const subject of subjects) await this.change(tx, subject);
    });
  }

  unwanted(count: number): Promise<void> {
    return this.jar.store.transact(async (tx) => {
      for (let i = 0; i < count; i++) await this.change(tx, `${i}`, 'bad');
    });
  }

  async heard(name = 'test.one'): Promise<readonly string[]> {
    return (await this.jar.store.get(heard, name))?.value.subjects ?? [];
  }

  settled(): Promise<void> {
    return this.running.settled();
  }
}

export const changeOf = (subject: string, kind: string, at: number): NewChange => ({
  source: 'test',
  kind,
  subject,
  outcome: 'Succeeded',
  at,
  data: null,
});

/** Runs the same tests on both stores, with one jar each that is reset between tests. */
export function following(
  title: string,
  followers: readonly WholeFollower[],
  tests: (jar: ListeningJar, engine: 'sqlite' | 'postgres') => void,
  flags: Record<string, unknown> = {},
): void {
  for (const engine of ['sqlite', 'postgres'] as const) {
    describe(`${engine}: ${title}`, () => {
      const jar = new ListeningJar(followers);
      beforeEach(async ({ skip }) => {
        if (jar.running) return jar.running.reset();
        const databaseUrl = engine === 'postgres' ? await usePostgresDatabase({ skip }, 'feed') : undefined;
        await jar.start({ memory: engine === 'sqlite', databaseUrl, ...flags });
      });
      afterAll(() => jar.close());
      tests(jar, engine);
    });
  }
}
