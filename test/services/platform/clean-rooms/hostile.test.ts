import { beforeEach, expect, it } from 'vitest';
import { CLEAN_ROOM_OPERATIONS } from '../../../../src/services/platform/clean-rooms/operations.ts';
import { onBothStores } from '../../../support/jars.ts';
import { good } from '../support.ts';
import { activeRoom, notebook, type Parties, parties, ROOMS, review, roomOf } from './support.ts';

const NUL = 'a\u0000b';
const LONE = 'a\ud800b';

const VALUES: readonly unknown[] = [
  NUL,
  LONE,
  '',
  '__proto__',
  'x'.repeat(20_000),
  null,
  true,
  -1,
  1e308,
  [],
  {},
  [null],
  [NUL],
  { constructor: 1, [NUL]: LONE },
];

type BodyOf = (value: unknown) => object;

const collaborator = (value: unknown) => ({
  collaborator_alias: value,
  global_metastore_id: value,
  invite_recipient_workspace_id: value,
});

const ASSETS: readonly BodyOf[] = [
  (value) => ({ asset: value, name: value, asset_type: value }),
  (value) => ({ name: value, asset_type: 'NOTEBOOK_FILE', notebook: { notebook_content: value } }),
  (value) => ({ name: 'count', asset_type: 'NOTEBOOK_FILE', notebook: value }),
  (value) => ({ ...notebook('print(2)', { runner_collaborator_aliases: [value] }, 'n'), name: undefined }),
  (value) => ({ name: value, asset_type: 'TABLE', table_local_details: { local_name: value, partitions: [value] } }),
  (value) => ({ name: 'creator.b.c', asset_type: 'VOLUME', volume_local_details: { local_name: value } }),
  (value) => ({ name: `j${JSON.stringify(value).length}`, asset_type: 'JAR_ANALYSIS', jar_analysis: value }),
  (value) => ({ name: `g${JSON.stringify(value).length}`, asset_type: 'GENIE_SPACE', genie_space: value }),
];

/** By suffix of the path: bodies with a hostile value at each position. */
const BODIES: readonly (readonly [RegExp, readonly BodyOf[]])[] = [
  [
    /clean-rooms(?:\/\{clean_room_name\})?$/,
    [
      (value) => ({ clean_room: value, name: value, comment: value, owner: value, remote_detailed_info: value }),
      (value) => ({ ...roomOf({ own: 'a:b:c', theirs: 'd:e:f' }), name: value }),
      (value) => ({
        name: 'x',
        remote_detailed_info: { cloud_vendor: 'aws', region: value, collaborators: [collaborator(value)] },
      }),
    ],
  ],
  [/output-catalogs$/, [(value) => ({ catalog_name: value, output_catalog: value })]],
  [
    /reviews$/,
    [
      (value) => ({ notebook_review: value }),
      (value) => ({ notebook_review: { etag: value, review_state: 'APPROVED', comment: value } }),
    ],
  ],
  [
    /rules/,
    [
      (value) => ({ auto_approval_rule: value }),
      (value) => ({ auto_approval_rule: { author_collaborator_alias: value, runner_collaborator_alias: value } }),
    ],
  ],
  [/assets/, ASSETS],
];

onBothStores('data platform: whatever is sent to a clean room', (bench) => {
  let both: Parties;

  beforeEach(async () => {
    both = await parties(bench);
    await activeRoom(bench, both);
  });

  it('no operation of an active room answers an internal error', async () => {
    const { ask } = both;
    await good(ask('POST', `${ROOMS}/overlap/assets`, notebook('print(1)')));
    const failed: string[] = [];
    const operations = CLEAN_ROOM_OPERATIONS.filter(({ operation }) => operation !== 'cleanRooms_delete');
    for (const { method, path } of operations) {
      const at = (name: string, type: string) =>
        path
          .replace('{clean_room_name}', 'overlap')
          .replace('{asset_type}', type)
          .replace(/\{\w+\}/, encodeURIComponent(name));
      const send = async (address: string, body?: unknown): Promise<void> => {
        const { status, text } = await ask(method, address, body);
        if (status >= 500) failed.push(`${method} ${address.slice(0, 100)} ${JSON.stringify(body)}: ${text}`);
      };
      if (method === 'POST' || method === 'PATCH') {
        const bodies = BODIES.find(([pattern]) => pattern.test(path))?.[1] ?? [];
        expect(bodies, path).not.toEqual([]);
        for (const value of VALUES)
          for (const bodyOf of bodies) await send(at('count', 'NOTEBOOK_FILE'), bodyOf(value));
        continue;
      }
      for (const name of [NUL, '__proto__', 'x'.repeat(3000), 'a.b.c']) {
        await send(at(name, 'NOTEBOOK_FILE'));
        await send(at(name, 'TABLE'));
        await send(`${at('count', 'NOTEBOOK_FILE')}?page_token=${encodeURIComponent(name)}&page_size=-1`);
        await send(`${at('count', 'NOTEBOOK_FILE')}?notebook_name=${encodeURIComponent(name)}&task_type=NOTEBOOK`);
      }
    }
    expect(failed).toEqual([]);
  });

  it('of concurrent additions of the same asset one succeeds; reviews during a change apply to the old version', async () => {
    const { ask, partner } = both;
    const path = `${ROOMS}/overlap/assets`;
    const added = await Promise.all(Array.from({ length: 8 }, () => ask('POST', path, notebook('print(1)'))));
    expect(added.filter(({ status }) => status === 200)).toHaveLength(1);
    const { etag } = (await good(ask('GET', `${path}/NOTEBOOK_FILE/count`))).notebook;
    const [changed, reviewed] = await Promise.all([
      ask('PATCH', `${path}/NOTEBOOK_FILE/count`, notebook('print(2)')),
      review(partner, etag, 'APPROVED'),
    ]);
    expect(changed.status).toBe(200);
    expect([200, 409]).toContain(reviewed.status);
    // In any order, the new version has no approval.
    const now = (await good(ask('GET', `${path}/NOTEBOOK_FILE/count`))).notebook;
    expect(now).toMatchObject({ etag: changed.body.notebook.etag, review_state: 'PENDING', reviews: [] });
  });

  it('both sides delete at once, and nothing is left', async () => {
    const { ask, partner } = both;
    const replies = await Promise.all([
      ask('DELETE', `${ROOMS}/overlap`),
      partner('DELETE', `${ROOMS}/overlap`),
      ask('POST', `${ROOMS}/overlap/assets`, notebook('print(1)')),
    ]);
    expect(replies.slice(0, 2).map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[2]?.status).toBeLessThan(500);
    await bench.jar.settled();
    expect((await good(ask('GET', ROOMS))).clean_rooms).toEqual([]);
    expect((await good(partner('GET', ROOMS))).clean_rooms).toEqual([]);
  });
});
