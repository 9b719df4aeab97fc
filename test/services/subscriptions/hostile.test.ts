import { expect, it } from 'vitest';
import { onBothStores } from '../../support/jars.ts';
import { ALIASES, Caller, NEW } from './support.ts';

const groupId = (name: string): string => `/providers/Vendor.Management/managementGroups/${name}`;
const MANAGEMENT = 'api-version=2021-04-01';

onBothStores('one alias for two callers at once', (bench) => {
  it('is the alias of one of them, and the other is told nothing of it', async () => {
    const caller = new Caller(bench);
    await caller.call('licensed', 'GET', ALIASES);
    await caller.call('delegated-admin', 'GET', ALIASES);
    for (let round = 0; round < 10; round++) {
      const users = ['licensed', 'delegated-admin'];
      const replies = await Promise.all(
        users.map((user) => caller.put(`both-${round}`, { ...NEW, displayName: user }, { user })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 403]);
      for (const [at, { status, body }] of replies.entries()) {
        if (status === 201) expect(body.properties.displayName).toBe(users[at]);
        else expect(body.error.code).toBe('AuthorizationFailed');
      }
    }
  });
});

onBothStores('texts that databases dislike', (bench) => {
  it('are stored as they are, or refused', async () => {
    const caller = new Caller(bench);
    const odd = ['\ud800', 'a\udfff', '\u0000', '\u2028', '__proto__', '\u202e'];
    for (const [at, text] of odd.entries()) {
      const tags = Object.fromEntries([
        [`t${text}`, text],
        ['__proto__', 'x'],
      ]);
      const { status, body } = await caller.put(`odd-${at}`, {
        ...NEW,
        displayName: text,
        additionalProperties: { tags },
      });
      expect([201, 400], JSON.stringify([text, body])).toContain(status);
      expect((await caller.get(`odd-${at}`)).body.properties?.displayName).toBe(status === 201 ? text : undefined);
      if (status === 201) expect(Object.keys(body.properties.tags)).toContain('__proto__');
    }
    await bench.jar.clock.advance('1s');
    for (const at of odd.keys()) {
      const { body } = await caller.get(`odd-${at}`);
      if (body.properties) expect(body.properties.provisioningState).toBe('Succeeded');
    }
    for (const [at, text] of odd.entries()) {
      const path = `${groupId(`odd-${at}`)}?${MANAGEMENT}`;
      const { status, body } = await bench.call('PUT', path, { body: { properties: { displayName: text } } });
      expect([202, 400], JSON.stringify([text, body])).toContain(status);
    }
    await bench.jar.settled();
  });
});
