import { expect, test } from 'vitest';
import { SERVICES } from '../../src/services.ts';
import { NOTES } from '../kernel/snapshots/notes.ts';
import { COMMAND_LINE, PASSWORD } from '../services/identity/support.ts';
import { onBothStores, SUBSCRIPTION } from '../support/jars.ts';

const START = '2026-01-31T09:00:00.000Z';
const HOUR = 3_600_000;
const group = (name: string) => `/subscriptions/${SUBSCRIPTION}/resourcegroups/${name}?api-version=2022-12-01`;

interface Difference {
  readonly collection: string;
  readonly key: string;
  readonly change: string;
  readonly fields?: readonly { readonly path: string }[];
}

onBothStores(
  'a comparison of snapshots',
  (bench) => {
    const control = (method: string, path: string, body?: unknown) =>
      bench.call(method, `/_jar${path}`, { token: bench.jar.adminKey, body });
    const note = (name: string, body: object) => bench.call('PUT', `/notes/${name}`, { body });
    const compare = (query: Record<string, string>) =>
      control('GET', `/snapshots/compare?${new URLSearchParams(query)}`);
    const begin = async (): Promise<void> => {
      await bench.jar.reset();
      await bench.jar.settled();
    };

    test('names what was added, removed and changed, member by member', async () => {
      await begin();
      await note('kept', { text: 'same' });
      await note('gone', { text: 'to be removed', removeIn: HOUR });
      await note('other', { text: 'one two' });
      await bench.jar.snapshot('before');
      await control('POST', '/clock/advance', { by: '2h' });
      await note('kept', { text: 'same' });
      await note('other', { text: 'one three' });
      await note('fresh', { text: 'x' });
      const present = await compare({ from: 'before', collection: 'notes.notes' });
      expect(present.status).toBe(200);
      expect(present.body).toEqual({
        from: { name: 'before', takenAt: START },
        to: { name: null, takenAt: '2026-01-31T11:00:00.000Z' },
        collections: [{ collection: 'notes.notes', added: 1, removed: 1, changed: 1, same: 1 }],
        value: [
          { collection: 'notes.notes', key: 'fresh', change: 'added' },
          { collection: 'notes.notes', key: 'gone', change: 'removed' },
          {
            collection: 'notes.notes',
            key: 'other',
            change: 'changed',
            fields: [
              { path: 'text', before: 'one two', after: 'one three' },
              { path: 'words[1]', before: 'two', after: 'three' },
            ],
          },
        ],
      });

      await bench.jar.snapshot('after');
      const both = await compare({ from: 'before', to: 'after', collection: 'notes.notes' });
      const to = { name: 'after', takenAt: '2026-01-31T11:00:00.000Z' };
      expect(both.body).toEqual({ ...present.body, to });
      const back = await compare({ from: 'after', to: 'before', collection: 'notes.notes' });
      expect(back.body.value.map(({ key, change }: Difference) => `${change} ${key}`)).toEqual([
        'removed fresh',
        'added gone',
        'changed other',
      ]);
    });

    test('includes due work and change records, and finds nothing between a snapshot and itself', async () => {
      await begin();
      await note('moved', { text: 'a', removeIn: HOUR });
      await note('done', { text: 'b', removeIn: 2 * HOUR });
      await bench.jar.snapshot('before');
      await note('moved', { text: 'a', removeIn: 3 * HOUR });
      await bench.jar.snapshot('after');
      const { body } = await compare({ from: 'before', to: 'after' });
      const work = body.value.filter(({ collection }: Difference) => collection === 'kernel.work_items');
      expect(work).toContainEqual({
        collection: 'kernel.work_items',
        key: 'remove/moved',
        change: 'changed',
        fields: [{ path: 'dueAt', before: '2026-01-31T10:00:00.000Z', after: '2026-01-31T12:00:00.000Z' }],
      });
      const changes = body.value.filter(({ collection }: Difference) => collection === 'kernel.change_records');
      expect(changes).toEqual([
        { collection: 'kernel.change_records', key: expect.stringMatching(/^\d{19}$/), change: 'added' },
      ]);
      const same = await compare({ from: 'after', to: 'after' });
      expect(same.body).toMatchObject({ value: [] });
      expect(same.body.collections.length).toBeGreaterThan(5);
      const counts = body.collections.find((each: { collection: string }) => each.collection === 'notes.notes');
      expect(counts).toEqual({ collection: 'notes.notes', added: 0, removed: 0, changed: 0, same: 2 });
      expect(same.body.collections).toContainEqual(counts);
      // A restore brings back what was there, apart from the record of the restore itself.
      await bench.jar.restore('before');
      const restored = (await compare({ from: 'before' })).body.value;
      expect(restored.filter(({ collection }: Difference) => collection.startsWith('notes.'))).toEqual([]);
    });

    test('shows no secret: only that it has changed', async () => {
      await begin();
      await note('sealed', { text: 'a', secret: 'first secret' });
      await note('resealed', { text: 'b', secret: 'stays' });
      const user = (password: string) =>
        control('PUT', '/users/11111111-0000-4000-8000-0000000000e1', { username: 'eve@vendor.example', password });
      expect((await user('Passw0rd-of-eve-1')).status).toBe(201);
      await bench.call('PUT', group('named'), { body: { location: 'eastus', tags: { adminPassword: 'pw-one' } } });
      await bench.jar.snapshot('before');
      await note('sealed', { text: 'a', secret: 'second secret' });
      await note('resealed', { text: 'b', secret: 'stays' });
      expect((await user('Passw0rd-of-eve-2')).status).toBe(200);
      await bench.call('PUT', group('named'), { body: { location: 'eastus', tags: { adminPassword: 'pw-two' } } });
      await bench.jar.snapshot('after');
      for (const to of ['after', undefined]) {
        const answer = await compare({ from: 'before', $top: '1000', ...(to !== undefined && { to }) });
        const notes = answer.body.value.filter(({ collection }: Difference) => collection === 'notes.notes');
        expect(notes).toEqual([
          { collection: 'notes.notes', key: 'sealed', change: 'changed', fields: [{ path: 'sealed', secret: true }] },
        ]);
        const fields = answer.body.value.flatMap((each: Difference) => each.fields ?? []);
        // The hash of a password is neither sealed, nor does it look like a secret.
        expect(fields).toContainEqual({ path: 'passwordHash', secret: true });
        const named = fields.filter(({ path }: { path: string }) => path.endsWith('adminPassword'));
        expect(named.length).toBeGreaterThan(0);
        for (const each of named) expect(each).toEqual({ path: each.path, secret: true });
        for (const secret of ['first secret', 'second secret', 'pw-one', 'pw-two', 'Passw0rd'])
          expect(answer.text).not.toContain(secret);
      }
    });

    test('hides keys that are secrets, of sessions and refresh tokens', async () => {
      await begin();
      await bench.jar.snapshot('before');
      const form = new URLSearchParams({
        grant_type: 'password',
        client_id: COMMAND_LINE,
        scope: 'openid offline_access',
        username: 'admin@vendor.example',
        password: PASSWORD,
      });
      const signedIn = await bench.call('POST', '/organizations/oauth2/v2.0/token', {
        token: null,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
      });
      expect(signedIn.status, signedIn.text).toBe(200);
      const { body, text } = await compare({ from: 'before' });
      const grants = body.value.filter(({ collection }: Difference) => collection === 'identity.grants');
      expect(grants).toEqual([{ collection: 'identity.grants', key: '[redacted]', change: 'added' }]);
      const forget = body.value.find(({ key }: Difference) => key.startsWith('identity.forget:'));
      expect(forget).toMatchObject({ key: 'identity.forget:identity.grants:[redacted]', change: 'added' });
      expect(text).not.toContain(signedIn.body.refresh_token);
    });

    test('continues page by page, each difference once, and counts all of them on every page', async () => {
      await begin();
      await bench.jar.snapshot('before');
      for (let i = 0; i < 25; i++) await note(`n${String(i).padStart(2, '0')}`, { text: `${i}` });
      await bench.jar.snapshot('after');
      const all = (await compare({ from: 'before', to: 'after', $top: '1000' })).body;
      const found: Difference[] = [];
      let page = await compare({ from: 'before', to: 'after', $top: '7' });
      for (;;) {
        expect(page.body.collections).toEqual(all.collections);
        found.push(...page.body.value);
        if (page.body.nextLink === undefined) break;
        expect(page.body.value).toHaveLength(7);
        const { pathname, search } = new URL(page.body.nextLink);
        page = await control('GET', `${pathname.slice('/_jar'.length)}${search}`);
      }
      expect(found).toEqual(all.value);
      expect(found.length).toBeGreaterThanOrEqual(50);

      const first = await compare({ from: 'before', to: 'after', $top: '1' });
      const token = new URL(first.body.nextLink).searchParams.get('$skiptoken') ?? '';
      expect(token).not.toBe('');
      const refused = { status: 400, body: { error: { code: 'BadSkipToken', target: '$skiptoken' } } };
      expect(await compare({ from: 'after', to: 'before', $skiptoken: token })).toMatchObject(refused);
      expect(await compare({ from: 'before', to: 'after', $skiptoken: 'x' })).toMatchObject(refused);
      await bench.jar.snapshot('after');
      expect(await compare({ from: 'before', to: 'after', $skiptoken: token })).toMatchObject(refused);
    });

    test.each([
      [{}, 400, 'InvalidQuery', 'from'],
      [{ from: 'nothing' }, 404, 'SnapshotNotFound', undefined],
      [{ from: 'here', to: 'nothing' }, 404, 'SnapshotNotFound', undefined],
      [{ from: '../x' }, 400, 'BadSnapshotName', 'name'],
      [{ from: 'here', collection: 'notes.note' }, 400, 'UnknownCollection', 'collection'],
      [{ from: 'here', $top: '0' }, 400, 'InvalidQuery', '$top'],
      [{ from: 'here', too: 'x' }, 400, 'InvalidQuery', 'too'],
    ])('is refused for %j', async (query, status, code, target) => {
      await bench.jar.snapshot('here');
      const refused = await compare(query as Record<string, string>);
      expect(refused).toMatchObject({ status, body: { error: { code, ...(target && { target }) } } });
    });

    test('ends when its client leaves, also while it waits for its turn', async () => {
      await begin();
      for (let i = 0; i < 20; i++) await note(`n${i}`, { text: 'x'.repeat(1000) });
      await bench.jar.snapshot('before');
      const gone = new AbortController();
      const headers = { authorization: `Bearer ${bench.jar.adminKey}` };
      const ask = (signal?: AbortSignal) =>
        fetch(`${bench.jar.url}/_jar/snapshots/compare?from=before`, { headers, ...(signal && { signal }) });
      const answers = Array.from({ length: 6 }, () => ask(gone.signal).then(({ status }) => status));
      expect(await Promise.race(answers)).toBe(200);
      gone.abort();
      await Promise.allSettled(answers);
      const filter = encodeURIComponent("operation eq 'Jar_CompareSnapshots' and status eq 499");
      const left = async () => (await control('GET', `/requests?$filter=${filter}`)).body.value.length;
      await expect.poll(left).toBeGreaterThan(0);
      // The next one has its turn.
      expect((await ask()).status).toBe(200);
    });

    test('has an address that no snapshot can take', async () => {
      expect((await control('PUT', '/snapshots/compare')).status).toBe(405);
      await expect(bench.jar.snapshot('compare')).rejects.toMatchObject({ code: 'ReservedSnapshotName' });
    });
  },
  { services: [...SERVICES, NOTES], clockStart: START },
);
