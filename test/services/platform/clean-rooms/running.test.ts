import { beforeEach, expect, it } from 'vitest';
import { byId } from '../../../../src/services/platform/catalog/core/chain.ts';
import { columnsOf } from '../../../../src/services/platform/catalog/tables/column-store.ts';
import { filesAt } from '../../../../src/services/platform/catalog/tables/data/files.ts';
import { readRows } from '../../../../src/services/platform/catalog/tables/data/rows.ts';
import { quotaOf } from '../../../../src/services/platform/limits/declared.ts';
import { writeHtml } from '../../../../src/services/platform/notebooks/formats/html.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';
import {
  activeRoom,
  approvedNotebook,
  notebook,
  outputOf,
  type Parties,
  parties,
  ROOMS,
  review,
  stateOf,
  submit,
  UC,
} from './support.ts';

const ROOM = `${ROOMS}/overlap`;
const probe = new JarProbe();

onBothStores(
  'data platform: notebooks that run in clean rooms',
  (bench) => {
    let both: Parties;
    let ask: Ask;
    let partner: Ask;

    beforeEach(async () => {
      both = await parties(bench);
      ({ ask, partner } = both);
      await activeRoom(bench, both);
    });

    const runs = async (query = '', who = partner) => (await good(who('GET', `${ROOM}/runs${query}`))).runs;
    const lives = async () =>
      (await runs()).map(
        (run: { notebook_job_run_state: { life_cycle_state: string } }) => run.notebook_job_run_state.life_cycle_state,
      );
    const count = (list: readonly string[], word: string) => list.filter((each) => each === word).length;

    it('only an approved notebook of an active room runs, in its current version, by a runner', async () => {
      const made = await good(ask('POST', `${ROOM}/assets`, notebook('# cloudjar: sleep 60')));
      const { etag } = made.notebook;
      const fails = async (message: string, task: object = {}, who = partner) =>
        expect(await stateOf(who, await submit(who, task))).toEqual(['FAILED', expect.stringContaining(message)]);
      await fails('its review state is PENDING');
      await good(review(partner, etag, 'REJECTED'));
      await fails('its review state is REJECTED');
      await good(review(partner, etag, 'APPROVED'));
      await fails('etag', { etag: 'stale' });
      await fails("has no notebook 'other'", { notebook_name: 'other' });
      await fails("Clean room 'none' does not exist", { clean_room_name: 'none' });
      await fails("'creator' may not run the notebook", {}, ask);
      // None of these is a run of the room.
      expect(await runs()).toEqual([]);
      const run = await submit(partner, { etag });
      expect((await stateOf(partner, run))[0]).toBe('RUNNING');
      await bench.jar.clock.advance('1m');
      expect(await stateOf(partner, run)).toEqual(['SUCCESS', '']);
      expect((await outputOf(partner, run)).clean_rooms_notebook_output).toEqual({
        clean_room_job_run_state: { life_cycle_state: 'TERMINATED', result_state: 'SUCCESS' },
        notebook_output: { truncated: false },
      });
    });

    it('ten run at once; the others wait their turn, in the order in which they came', async () => {
      await approvedNotebook(both, '# cloudjar: sleep 60');
      const first: number[] = [];
      for (let index = 0; index < 10; index++) first.push(await submit(partner));
      await bench.jar.clock.advance('1s');
      const eleventh = await submit(partner);
      await bench.jar.clock.advance('1s');
      const twelfth = await submit(partner);
      expect(await stateOf(partner, eleventh)).toEqual(['PENDING', '']);
      expect(count(await lives(), 'RUNNING')).toBe(10);
      expect(count(await lives(), 'QUEUED')).toBe(2);
      // A free slot goes to the task that has waited longest.
      await good(partner('POST', '/api/2.2/jobs/runs/cancel', { run_id: first[0] }));
      await bench.jar.settled();
      expect((await stateOf(partner, eleventh))[0]).toBe('RUNNING');
      expect((await stateOf(partner, twelfth))[0]).toBe('PENDING');
      // If one task stops waiting, the others keep their position.
      const thirteenth = await submit(partner);
      await good(partner('POST', '/api/2.2/jobs/runs/cancel', { run_id: twelfth }));
      await bench.jar.clock.advance('1m');
      await bench.jar.settled();
      expect((await stateOf(partner, thirteenth))[0]).toBe('RUNNING');
      await bench.jar.clock.advance('2m');
      await bench.jar.settled();
      expect(await stateOf(partner, thirteenth)).toEqual(['SUCCESS', '']);
      expect(count(await lives(), 'TERMINATED')).toBe(13);
      const { central_clean_room_id: id } = (await good(partner('GET', ROOM))).remote_detailed_info;
      const limit = quotaOf('clean-room-tasks');
      const held = await probe.jar.store.transact((tx) =>
        probe.jar.limits.takeQuota(tx, { limit, scope: [id], count: 0 }),
      );
      expect(held).toMatchObject({ current: 0, maximum: 10 });
    });

    it('a raised limit adds slots, and a lowered one revokes none', async () => {
      await approvedNotebook(both, '# cloudjar: sleep 60');
      const limit = (most: number) =>
        good(control(bench, 'PATCH', 'limits', { name: 'platform.clean-room-tasks', limit: most }));
      await limit(2);
      for (let index = 0; index < 5; index++) await submit(partner);
      expect(count(await lives(), 'RUNNING')).toBe(2);
      await limit(4);
      await bench.jar.settled();
      expect(count(await lives(), 'RUNNING')).toBe(4);
      await limit(1);
      await bench.jar.settled();
      expect(count(await lives(), 'RUNNING')).toBe(4);
    });

    it('when many tasks end at one instant, as many start', async () => {
      await approvedNotebook(both, '# cloudjar: sleep 60');
      for (let index = 0; index < 25; index++) await submit(partner);
      await bench.jar.settled();
      expect(count(await lives(), 'RUNNING')).toBe(10);
      await bench.jar.clock.advance('61s');
      await bench.jar.settled();
      expect(count(await lives(), 'RUNNING')).toBe(10);
      expect(count(await lives(), 'TERMINATED')).toBe(10);
      await bench.jar.clock.advance('10m');
      await bench.jar.settled();
      expect(count(await lives(), 'TERMINATED')).toBe(25);
    });

    it('output tables have the rows that the program reported, and are read-only', async () => {
      const rows = '[[1,"a"],[9007199254740993,null]]';
      const table = `{"name":"Found","columns":[{"name":"n","type_name":"LONG"},{"name":"s","type_name":"STRING"}],"rows":${rows}}`;
      await approvedNotebook(both, `# cloudjar: echo '::cloudjar::table ${table}'`);
      await good(partner('POST', `${ROOM}/output-catalogs`, { catalog_name: 'results' }));
      const run = await submit(partner);
      await bench.jar.settled();
      expect(await stateOf(partner, run)).toEqual(['SUCCESS', '']);
      const { output_schema_info: info } = (await outputOf(partner, run)).clean_rooms_notebook_output;
      const name = `results.${info.schema_name}.found`;
      const { table_id, owner } = await good(partner('GET', `${UC}/tables/${name}`));
      expect(owner).toBe('System user');
      const { store } = probe.jar;
      const found = await byId(store, table_id);
      if (!found) throw new Error('there is no such table');
      const read: unknown[] = [];
      for (const file of await filesAt(store, table_id, 1))
        for await (const group of readRows(store, file, await columnsOf(store, found))) read.push(...group);
      expect(read).toHaveLength(2);
      expect(read[0]).toEqual([1n, 'a']);
      expect((await partner('DELETE', `${UC}/tables/${name}`)).status).toBe(403);
      expect((await partner('DELETE', `${UC}/schemas/results.${info.schema_name}?force=true`)).status).toBe(403);
    });

    it('a run that creates tables without an output catalog, or invalid ones, fails and writes nothing', async () => {
      await approvedNotebook(both, 'CREATE TABLE {cr_output_catalog}.{cr_output_schema}.found (n INT)');
      const without = await submit(partner);
      await bench.jar.clock.advance('1m');
      expect(await stateOf(partner, without)).toEqual(['FAILED', expect.stringContaining('no output catalog')]);
      expect((await outputOf(partner, without)).error).toContain('no output catalog');
      await good(partner('POST', `${ROOM}/output-catalogs`, { catalog_name: 'results' }));
      const wrong = `# cloudjar: echo '::cloudjar::table {"name":"a b"}'`;
      await approvedNotebook(both, wrong, 'wrong');
      const run = await submit(partner, { notebook_name: 'wrong' });
      await bench.jar.settled();
      expect(await stateOf(partner, run)).toEqual(['FAILED', expect.stringContaining('not a valid name')]);
      const { schemas } = await good(partner('GET', `${UC}/schemas?catalog_name=results`));
      expect(schemas.map((each: { name: string }) => each.name)).toEqual(['default', 'information_schema']);
    });

    it('clean-room-output-tables: a run makes 100 tables; one with 101 fails and makes none', async () => {
      await good(partner('POST', `${ROOM}/output-catalogs`, { catalog_name: 'results' }));
      const making = (tables: number) =>
        Array.from({ length: tables }, (_, index) => `CREATE TABLE {cr_output_schema}.t${index} (n INT);`).join('\n');
      await approvedNotebook(both, making(100), 'most');
      await approvedNotebook(both, making(101), 'more');
      const most = await submit(partner, { notebook_name: 'most' });
      const more = await submit(partner, { notebook_name: 'more' });
      await bench.jar.clock.advance('1m');
      await bench.jar.settled();
      expect(await stateOf(partner, most)).toEqual(['SUCCESS', '']);
      const [state, message] = await stateOf(partner, more);
      expect(state).toBe('FAILED');
      expect(message).toContain('101 output tables are more than 100');
      expect(message).toContain('The limit is fixed.');
      const { schema_name } = (await outputOf(partner, most)).clean_rooms_notebook_output.output_schema_info;
      const list = await good(partner('GET', `${UC}/tables?catalog_name=results&schema_name=${schema_name}`));
      expect(list.tables).toHaveLength(100);
      await control(bench, 'PATCH', 'limits', { name: 'platform.clean-room-output-tables', limit: 101 });
      const again = await submit(partner, { notebook_name: 'more' });
      await bench.jar.clock.advance('1m');
      await bench.jar.settled();
      expect(await stateOf(partner, again)).toEqual(['SUCCESS', '']);
    });

    it('a run in a room that is deleted meanwhile fails at its end; failures are retried, each attempt in the room anew', async () => {
      await approvedNotebook(both, '# cloudjar: sleep 60');
      await approvedNotebook(both, '# cloudjar: echo no; exit 3', 'failing');
      const failing = await submit(partner, { notebook_name: 'failing' }, { max_retries: 1 });
      await bench.jar.settled();
      expect(await stateOf(partner, failing)).toEqual(['FAILED', 'no']);
      const attempts = await runs('?notebook_name=failing');
      expect(attempts).toHaveLength(2);
      expect(attempts[0].notebook_job_run_state.result_state).toBe('FAILED');
      expect(await runs('?notebook_name=none')).toEqual([]);
      const run = await submit(partner);
      await good(ask('DELETE', ROOM));
      await bench.jar.clock.advance('1m');
      await bench.jar.settled();
      expect(await stateOf(partner, run)).toEqual(['FAILED', expect.stringContaining('deleted')]);
      const late = await submit(partner);
      expect(await stateOf(partner, late)).toEqual(['FAILED', expect.stringContaining('DELETED')]);
    });

    it('lists of runs have pages and filters, and forget runs after 60 days', async () => {
      await approvedNotebook(both, '# cloudjar: echo ran');
      for (let index = 0; index < 3; index++) {
        await submit(partner);
        await bench.jar.clock.advance('1s');
      }
      await bench.jar.settled();
      const { runs: page, next_page_token: token } = await good(partner('GET', `${ROOM}/runs?page_size=2`));
      expect(page).toHaveLength(2);
      expect(page[0].start_time).toBeGreaterThan(page[1].start_time);
      const rest = await good(partner('GET', `${ROOM}/runs?page_size=2&page_token=${token}`));
      expect(rest.runs).toHaveLength(1);
      expect(rest.next_page_token).toBeUndefined();
      const tasks = async (type: string) => good(partner('GET', `${ROOM}/task-runs?task_type=${type}`));
      expect((await tasks('NOTEBOOK')).runs).toHaveLength(3);
      expect((await tasks('JAR')).runs).toEqual([]);
      expect(refusal(await partner('GET', `${ROOM}/task-runs?task_type=SQL`))).toMatchObject({ status: 400 });
      await bench.jar.clock.advance('61d');
      await bench.jar.settled();
      expect(await runs()).toEqual([]);
    });

    it('pages and Jupyter notebooks run as source does, with the parameters of the task', async () => {
      const cells = [{ language: 'python', source: '# cloudjar: echo page of $who' }];
      await approvedNotebook(both, writeHtml({ language: 'PYTHON', cells }, 'count'), 'page');
      const jupyter = {
        nbformat: 4,
        nbformat_minor: 5,
        metadata: { language_info: { name: 'python' } },
        cells: [{ cell_type: 'code', metadata: {}, outputs: [], source: ['# cloudjar: echo book of $who'] }],
      };
      await approvedNotebook(both, JSON.stringify(jupyter), 'book');
      for (const notebook_name of ['page', 'book']) {
        const run = await submit(partner, { notebook_name, notebook_base_parameters: { who: 'us' } });
        await bench.jar.settled();
        expect((await outputOf(partner, run)).logs).toBe(`${notebook_name} of us\n`);
      }
      await approvedNotebook(both, '{"no": "notebook"}', 'broken');
      const broken = await submit(partner, { notebook_name: 'broken' });
      expect((await stateOf(partner, broken))[0]).toBe('FAILED');
    });

    it('of eleven rooms created concurrently, ten exist', async () => {
      const { own } = both;
      const make = (index: number) =>
        ask('POST', ROOMS, {
          name: `room-${index}`,
          remote_detailed_info: {
            cloud_vendor: 'azure',
            region: 'westus2',
            collaborators: [{ collaborator_alias: 'creator', global_metastore_id: own }],
          },
        });
      await good(ask('DELETE', ROOM));
      const replies = await Promise.all(Array.from({ length: 11 }, (_, index) => make(index)));
      const refused = replies.filter(({ status }) => status !== 200);
      expect(refused.map(refusal)).toEqual([
        {
          status: 400,
          code: 'RESOURCE_LIMIT_EXCEEDED',
          message: expect.stringContaining(
            `Cannot create 1 CleanRoom(s) in Metastore ${own.split(':')[2]} (limit: 10)`,
          ),
        },
      ]);
      expect((await good(ask('GET', ROOMS))).clean_rooms).toHaveLength(10);
      // A metastore at its limit cannot be invited either, and the attempt leaves nothing behind.
      const invite = (name: string) =>
        partner('POST', ROOMS, {
          name,
          remote_detailed_info: {
            cloud_vendor: 'azure',
            region: 'westus2',
            collaborators: [
              { collaborator_alias: 'a', global_metastore_id: both.theirs },
              { collaborator_alias: 'b', global_metastore_id: own },
            ],
          },
        });
      expect(refusal(await invite('full'))).toMatchObject({ code: 'RESOURCE_LIMIT_EXCEEDED' });
      await good(partner('DELETE', ROOM));
      expect((await good(partner('GET', ROOMS))).clean_rooms).toEqual([]);
    });

    it('two metastores that invite each other concurrently both get their rooms; one name is created once', async () => {
      const sides = [
        { collaborator_alias: 'a', global_metastore_id: both.own },
        { collaborator_alias: 'b', global_metastore_id: both.theirs },
      ];
      const remote = { cloud_vendor: 'azure', region: 'westus2' };
      const replies = await Promise.all(
        [0, 1, 2].flatMap((index) => [
          ask('POST', ROOMS, { name: `x${index}`, remote_detailed_info: { ...remote, collaborators: sides } }),
          partner('POST', ROOMS, { name: `y${index}`, remote_detailed_info: { ...remote, collaborators: sides } }),
          ask('POST', ROOMS, { name: 'same', remote_detailed_info: { ...remote, collaborators: sides.slice(0, 1) } }),
        ]),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 409, 409]);
    });

    it('a user of another organisation finds no room', async () => {
      const stranger = await person(bench, 'licensed');
      expect((await stranger('GET', ROOM)).status).toBe(403);
      expect((await good(stranger('GET', ROOMS))).clean_rooms).toEqual([]);
    });
  },
  { services: [...SERVICES, probe.service] },
);
