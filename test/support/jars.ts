import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import type { Finished } from '../../src/kernel/http/server.ts';
import { findMistake } from '../../src/kernel/values/find-mistake.ts';
import { type StartJarOptions, startJar, type TestJar } from '../../src/testing/index.ts';
import { QuickClient, type Reply } from './quick-client.ts';
import { trust } from './trust.ts';
import { usePostgresDatabase } from './use-postgres.ts';

export type { Reply };

export const SUBSCRIPTION = '10000000-0000-4000-8000-0000000000f1';
export const OTHER_SUBSCRIPTION = '20000000-0000-4000-8000-0000000000f1';

/** A started jar with a shortcut for requests. */
export interface Bench {
  readonly jar: TestJar;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
}

export interface CallOptions {
  readonly body?: unknown;
  /** Default: the administrator's token; null sends none. */
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
}

const STORES = ['sqlite', 'postgres'] as const;
const LONG = process.env.CLOUDJAR_SOAK === '1';

/** Runs the same tests on a jar in memory (SQLite) and on one with PostgreSQL. */
export function onBothStores(title: string, tests: (bench: Bench) => void, options: StartJarOptions = {}): void {
  on(STORES, title, tests, options);
}

/**
 * For rules of a service above the store: refusals, computations, messages. Runs on a jar in memory, and in the long suites on both stores.
 */
export function onAnyStore(title: string, tests: (bench: Bench) => void, options: StartJarOptions = {}): void {
  on(LONG ? STORES : ['sqlite'], title, tests, options);
}

function on(
  engines: readonly (typeof STORES)[number][],
  title: string,
  tests: (bench: Bench) => void,
  options: StartJarOptions,
): void {
  for (const engine of engines) {
    describe(`${engine}: ${title}`, () => {
      const bench = new StartedBench();
      // With the first test rather than in `beforeAll`, because only a test can be reported as skipped if a server is missing.
      beforeEach(async ({ skip }) => {
        if (bench.jar) return;
        const databaseUrl = engine === 'postgres' ? await usePostgresDatabase({ skip }, 'jar') : undefined;
        await bench.start({ ...options, databaseUrl });
      });
      afterAll(() => bench.close());
      tests(bench);
    });
  }
}

/** One jar in memory for the tests of a file. */
export function withJar(tests: (bench: Bench) => void, options: StartJarOptions = {}): void {
  const bench = new StartedBench();
  beforeAll(() => bench.start(options));
  afterAll(() => bench.close());
  tests(bench);
}

class StartedBench implements Bench {
  jar!: TestJar;
  readonly #client = new QuickClient();
  #token = '';
  /** Every answer of every test is checked against the declared schema of its route. */
  readonly #checks: Promise<string | undefined>[] = [];

  async close(): Promise<void> {
    this.#client.close();
    await this.jar?.close();
    expect((await Promise.all(this.#checks)).filter((problem) => problem !== undefined)).toEqual([]);
  }

  async start(options: StartJarOptions): Promise<void> {
    this.jar = await startJar({ observe: (finished) => this.#checks.push(undeclared(finished)), ...options });
    this.#token = await this.jar.token({ ttl: '365d' });
    trust(this.jar);
  }

  async call(
    method: string,
    path: string,
    { body, token = this.#token, headers = {} }: CallOptions = {},
  ): Promise<Reply> {
    const asked = {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    };
    const address = path.startsWith('http') ? path : this.jar.url + path;
    return this.#client.ask(address, asked, this.jar.ca);
  }
}

/** Differences between an answer and the declaration of its route; answers without a declared schema are accepted. */
async function undeclared({ call, answer, error, fault }: Finished): Promise<string | undefined> {
  const schema = call.route.responses?.[answer.status];
  if (error !== undefined || fault !== undefined || schema === undefined || typeof schema === 'string')
    return undefined;
  const body: unknown = answer.body === undefined ? undefined : JSON.parse(JSON.stringify(answer.body));
  const mistake = await findMistake(schema, body);
  return mistake && `${call.route.operation} ${answer.status}: ${mistake.field} ${mistake.reason}`;
}
