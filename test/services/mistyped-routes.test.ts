import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Method, Route } from '../../src/kernel/http/route.ts';
import { Router } from '../../src/kernel/http/router.ts';
import { SERVICES } from '../../src/services.ts';
import { startJar, type TestJar } from '../../src/testing/index.ts';
import { QuickClient } from '../support/quick-client.ts';

/** For every route of the jar: one typo in a fixed segment of its path. */

let jar: TestJar;
let router: Router<unknown>;
const routes: Route[] = [];
const client = new QuickClient();

beforeAll(async () => {
  const add = Router.prototype.add;
  const spy = vi.spyOn(Router.prototype, 'add').mockImplementation(function (this: Router<unknown>, route, owner) {
    // WebSockets have their own router.
    if (!route.isSocket) {
      routes.push(route);
      router = this;
    }
    add.call(this, route, owner);
  });
  try {
    jar = await startJar({ services: SERVICES });
    await (await fetch(`${jar.url}/_jar/openapi.json`)).arrayBuffer();
  } finally {
    spy.mockRestore();
  }
}, 60_000);
afterAll(async () => {
  client.close();
  await jar?.close();
});

/** Pseudo-random numbers, the same in every run. */
function* numbers(): Generator<number, never> {
  for (let state = 20_261_118; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}
const random = numbers();
const below = (count: number): number => Math.floor(random.next().value * count);

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

function slip(word: string): string {
  const at = below(word.length);
  const letter = LETTERS[below(26)] as string;
  const kinds = [
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + letter + word.slice(at + 1),
    word.length > 1 ? word.slice(0, at) + word.slice(at + 1) : word + letter,
    word.slice(0, at) + (word[at + 1] ?? '') + word[at] + word.slice(at + 2),
  ];
  return kinds[below(4)] as string;
}

/** A path of the route with one typo; undefined if the typo changed nothing, or if all segments are parameters. */
function mistyped({ path }: Route): string | undefined {
  const segments = path
    .replace(/^\/\{scope\}/, '/subscriptions/x1/resourceGroups/x2')
    .split('/')
    .slice(1);
  const fixed = segments.flatMap((segment, at) => (/^[^{(]{2,}/.test(segment) ? [at] : []));
  if (fixed.length === 0) return undefined;
  const at = fixed[below(fixed.length)] as number;
  const [name = ''] = (segments[at] as string).split('(');
  const wrong = slip(name);
  if (wrong.toLowerCase() === name.toLowerCase()) return undefined;
  const asked = segments.map((segment, i) => (i === at ? segment.replace(name, wrong) : segment));
  return `/${asked.join('/')}`.replace(/\{\w+\*?\}/g, 'x9');
}

it('is answered before it is asked who calls, with what was meant and where the list is', {
  timeout: 120_000,
}, async () => {
  const wrong: string[] = [];
  let asked = 0;
  for (const route of routes) {
    const path = mistyped(route);
    // Skips a typo that produces the path of another route.
    if (path === undefined || router.match(route.method as Method, path).kind !== 'notFound') continue;
    asked++;
    // Some APIs require a body before they look at the path.
    const body = /^(POST|PUT|PATCH)$/.test(route.method) ? '{}' : null;
    const headers: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' };
    const { status, text } = await client.ask(jar.url + path, { method: route.method, headers, body }, jar.ca);
    const isTaught = /[Dd]id you mean/.test(text) && text.includes('/_jar/docs/api');
    if (status !== 404 || (!isTaught && route.method !== 'HEAD'))
      wrong.push(`${route.method} ${path} (of ${route.path}): ${status} ${text.slice(0, 300)}`);
  }
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThan(1_500);
});
