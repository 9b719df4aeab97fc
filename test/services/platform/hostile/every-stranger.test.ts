import { expect, it } from 'vitest';
import { RATE_BUCKETS } from '../../../../src/services/platform/limits/declared.ts';
import type { Operation } from '../../../../src/services/platform/operation.ts';
import { OPERATIONS } from '../../../../src/services/platform/routes.ts';
import { QuickClient } from '../../../support/quick-client.ts';
import { openWithStore } from '../open-store.ts';
import { ACCOUNT } from '../sdk.ts';
import { fillRoom } from './filled-clean-rooms.ts';
import { bodyFor, fillWorkspace, pathTo } from './filled-workspace.ts';

/** Written by reading, or by making something of one's own: no part of what somebody else has. */
const NOT_ANYBODYS = /^kernel\.|^platform\.(?:identity_versions|removed_objects)/;

/** Comes last: the others have nothing to do after it. */
const REMOVES = /delete|trash|destroy|unassign/i;

/** The tracking server answers so where its storage takes no uploads in parts, and clients then send a file as one. */
const NOT_IMPLEMENTED = 501;

async function setUp() {
  const opened = await openWithStore();
  const { running, control, captured } = opened;
  await control(
    'PATCH',
    'limits',
    RATE_BUCKETS.map(({ limit }) => ({ name: limit.name, mode: 'unlimited' })),
  );
  const tokenOf = async (user: string) =>
    String((await control('POST', 'tokens', { user, ttl: '3650d' })).body.access_token);
  const filled = await fillWorkspace(opened);
  await control('POST', 'clock/advance', { by: '10m' });
  const room = await fillRoom(async (path, body) => (await opened.ask('POST', `/api/2.0${path}`, body)).body);
  const ids = { ...filled, ...room };
  const workspace = String(
    (await opened.ask('GET', `/api/2.0/accounts/${ACCOUNT}/workspaces`)).text.match(/"workspace_id":(\d+)/)?.[1],
  );
  const client = new QuickClient();
  return {
    workspace,
    tokenOf,
    ask: opened.ask,
    async send(operation: Operation, token: string, headers: Readonly<Record<string, string>> = {}) {
      const { method, versions = ['2.0'] } = operation;
      const path = `/api/${versions.at(-1)}${pathTo(operation, ids, workspace)}`;
      const body = bodyFor(operation, ids);
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(body))
        if (typeof value === 'string' || typeof value === 'number') query.set(name, String(value));
      const hasBody = method !== 'GET' && method !== 'HEAD';
      const at = !hasBody || method === 'DELETE' ? `${path}?${query}` : path;
      const asked = {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: hasBody ? JSON.stringify(body) : null,
      };
      const { status, text } = await client.ask(running.url + at, asked, '');
      return { at: `${method} ${operation.path}`, status, text };
    },
    async close(): Promise<void> {
      client.close();
      await running.close();
    },
    /** The documents of the platform by collection and key. */
    async documents(): Promise<Map<string, string>> {
      const found = new Map<string, string>();
      for (const part of await captured()) {
        const { collection, rows } = JSON.parse(part) as { collection?: string; rows?: [string, string, string][] };
        if (collection === undefined || NOT_ANYBODYS.test(collection)) continue;
        for (const [key, , text] of rows ?? []) found.set(`${collection} ${key}`, text);
      }
      return found;
    },
  };
}

const difference = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] =>
  [...before].flatMap(([key, text]) => (after.get(key) === text ? [] : `${key}: ${text} -> ${after.get(key)}`));

it('somebody of another account finds nothing and changes nothing, whatever they name', {
  timeout: 240_000,
}, async () => {
  const { workspace, send, documents, tokenOf, close } = await setUp();
  try {
    const token = await tokenOf('other');
    const before = await documents();
    const leaked: string[] = [];
    const passed: string[] = [];
    for (const operation of OPERATIONS) {
      const named = await send(operation, token, { 'x-databricks-workspace-id': workspace });
      if (named.status !== 403 && !operation.open)
        passed.push(`${named.at} ${named.status} ${named.text.slice(0, 200)}`);
      // In a workspace of their own, with the ids of ours.
      const { at, text } = await send(operation, token);
      if (text.includes('ours-')) leaked.push(`${at} ${text}`);
    }
    expect(passed).toEqual([]);
    expect(leaked).toEqual([]);
    expect(difference(before, await documents())).toEqual([]);
  } finally {
    await close();
  }
});

it("a user of the workspace without permissions is refused what administrators do, and changes nobody else's things", {
  timeout: 240_000,
}, async () => {
  const { send, documents, tokenOf, close } = await setUp();
  try {
    const token = await tokenOf('licensed');
    const before = await documents();
    const passed: string[] = [];
    for (const operation of OPERATIONS) {
      const { at, status, text } = await send(operation, token);
      const needs = operation.needs ?? (operation.path.startsWith('/accounts/{account_id}') ? 'accountAdmin' : 'user');
      if (needs !== 'user' && status !== 403) passed.push(`${at} ${status} ${text.slice(0, 200)}`);
      if (status >= 500 && status !== NOT_IMPLEMENTED) passed.push(`${at} ${status} ${text.slice(0, 200)}`);
    }
    expect(passed).toEqual([]);
    expect(difference(before, await documents())).toEqual([]);
  } finally {
    await close();
  }
});

it('somebody of the account who is not in the workspace is refused all of it', { timeout: 240_000 }, async () => {
  const { send, documents, tokenOf, ask, close } = await setUp();
  try {
    const made = await ask('POST', `/api/2.0/accounts/${ACCOUNT}/workspaces`, { workspace_name: 'second' });
    const second = String(made.body.workspace_id);
    const token = await tokenOf('licensed');
    const before = await documents();
    const passed: string[] = [];
    for (const operation of OPERATIONS) {
      const { at, status, text } = await send(operation, token, { 'x-databricks-org-id': second });
      // Those of the account that decide by roles look at what they are about first.
      const isByRole = operation.needs === 'user' && operation.path.includes('{account_id}');
      // Who they are in the account, everybody of it may know.
      if (operation.operation === 'accountScim_me') expect([at, status]).toEqual([at, 200]);
      // What is open to everybody decides by what it is sent: a link, or a token of its own.
      else if (status !== 403 && !operation.open && !(isByRole && status >= 400 && status < 500))
        passed.push(`${at} ${status} ${text.slice(0, 200)}`);
    }
    expect(passed).toEqual([]);
    expect(difference(before, await documents())).toEqual([]);
  } finally {
    await close();
  }
});

it('the calls of these tests do something if an administrator makes them', { timeout: 240_000 }, async () => {
  const { send, documents, tokenOf, close } = await setUp();
  try {
    const token = await tokenOf('admin');
    const before = await documents();
    const answers = [];
    const order = [...OPERATIONS].sort(
      (one, other) => Number(REMOVES.test(one.operation)) - Number(REMOVES.test(other.operation)),
    );
    for (const operation of order) answers.push(await send(operation, token));
    expect(answers.filter(({ status }) => status < 400).length).toBeGreaterThan(OPERATIONS.length / 2);
    expect(difference(before, await documents()).length).toBeGreaterThan(20);
  } finally {
    await close();
  }
});
