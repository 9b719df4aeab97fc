import { beforeEach, describe, expect, it } from 'vitest';
import { byId } from '../../../../src/services/platform/catalog/core/chain.ts';
import { keyOf, type Securable, securables } from '../../../../src/services/platform/catalog/core/securables.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { APPLICATION } from '../sdk.ts';
import { type Ask, control, good, person, REAL_TIMES, refusal } from '../support.ts';
import {
  activeRoom,
  approvedNotebook,
  base64,
  customers,
  notebook,
  type Parties,
  parties,
  ROOMS,
  review,
  roomOf,
  stateOf,
  submit,
  tableAsset,
  UC,
} from './support.ts';

const ROOM = `${ROOMS}/overlap`;
const NOTEBOOK = `${ROOM}/assets/NOTEBOOK_FILE/count`;
const IPV = 'INVALID_PARAMETER_VALUE';

const probe = new JarProbe();

onAnyStore(
  'data platform: facts of clean rooms',
  (bench) => {
    let both: Parties;
    let ask: Ask;
    let partner: Ask;

    beforeEach(async () => {
      both = await parties(bench);
      ({ ask, partner } = both);
    });

    const collaborators = (list: unknown, more: object = {}) => ({
      name: 'overlap',
      remote_detailed_info: { cloud_vendor: 'azure', region: 'westus2', collaborators: list, ...more },
    });

    describe('rooms', () => {
      it('a new room shows only name, owner, comment, created_at and status until it is ACTIVE', async () => {
        const made = await good(ask('POST', ROOMS, { clean_room: roomOf(both) }));
        const few = {
          name: 'overlap',
          owner: expect.stringContaining('@'),
          comment: 'Who are our common customers?',
          created_at: expect.any(Number),
          status: 'PROVISIONING',
        };
        expect(made).toEqual(few);
        expect(await good(ask('GET', ROOM))).toEqual(few);
        await bench.jar.clock.advance('4m');
        expect((await good(ask('GET', ROOM))).status).toBe('PROVISIONING');
        expect(refusal(await ask('POST', `${ROOM}/assets`, notebook('print(1)')))).toMatchObject({
          status: 400,
          code: 'INVALID_STATE',
          message: expect.stringContaining('PROVISIONING'),
        });
        await bench.jar.clock.advance('1m');
        const active = await good(ask('GET', ROOM));
        expect(active).toMatchObject({
          status: 'ACTIVE',
          access_restricted: 'NO_RESTRICTION',
          local_collaborator_alias: 'creator',
          enable_shared_output: false,
          output_catalog: { status: 'NOT_CREATED' },
          remote_detailed_info: {
            central_clean_room_id: expect.any(String),
            cloud_vendor: 'azure',
            region: 'westus2',
            creator: { collaborator_alias: 'creator', global_metastore_id: both.own },
          },
        });
        expect(active.updated_at).toBeGreaterThan(active.created_at);
        // Lists omit the central room.
        const { clean_rooms: listed } = await good(ask('GET', ROOMS));
        expect(listed).toHaveLength(1);
        expect(listed[0].remote_detailed_info).toBeUndefined();
      });

      const OWN = 'the own global id';
      it.each([
        [{}, IPV, 'name'],
        [{ name: 'overlap' }, IPV, 'remote_detailed_info'],
        [{ ...collaborators([]), name: 5 }, 'MALFORMED_REQUEST', 'must be a string'],
        [collaborators([]), IPV, 'remote_detailed_info.collaborators'],
        [collaborators('x'), 'MALFORMED_REQUEST', 'must be an array'],
        [collaborators([{ collaborator_alias: 'a', global_metastore_id: OWN }], { cloud_vendor: 'ibm' }), IPV, 'aws'],
        [collaborators([{ collaborator_alias: 'a', global_metastore_id: OWN }], { region: '' }), IPV, 'region'],
        [
          collaborators([{ collaborator_alias: 'a', global_metastore_id: OWN }], { egress_network_policy: 5 }),
          'MALFORMED_REQUEST',
          'egress_network_policy',
        ],
        [collaborators([{ global_metastore_id: OWN }]), IPV, 'collaborator_alias'],
        [collaborators([{ collaborator_alias: 'a b', global_metastore_id: OWN }]), IPV, 'not a valid name'],
        [collaborators([{ collaborator_alias: 'a' }]), IPV, 'needs a global_metastore_id'],
        [collaborators([{ collaborator_alias: 'a', invite_recipient_email: 'a@b' }]), IPV, 'workspace_id'],
        [collaborators([{ collaborator_alias: 'a', global_metastore_id: 'x' }]), IPV, 'not a global metastore id'],
        [
          collaborators([{ collaborator_alias: 'a', global_metastore_id: 'a:b:c' }]),
          'METASTORE_DOES_NOT_EXIST',
          'a:b:c',
        ],
        [
          collaborators([{ collaborator_alias: 'a', invite_recipient_workspace_id: 7 }]),
          'RESOURCE_DOES_NOT_EXIST',
          'workspace 7',
        ],
        [
          collaborators([
            { collaborator_alias: 'a', global_metastore_id: OWN },
            { collaborator_alias: 'A', global_metastore_id: OWN },
          ]),
          IPV,
          "alias 'a'",
        ],
        [
          collaborators([
            { collaborator_alias: 'a', global_metastore_id: OWN },
            { collaborator_alias: 'b', global_metastore_id: OWN },
          ]),
          IPV,
          'Exactly one collaborator must be the creator',
        ],
        [
          collaborators(
            Array.from({ length: 11 }, (_, index) => ({ collaborator_alias: `a${index}`, global_metastore_id: OWN })),
          ),
          IPV,
          'at most 10',
        ],
      ])('a room that makes no sense is refused: %j', async (body, code, message) => {
        const text = JSON.stringify(body).replaceAll(OWN, both.own);
        expect(refusal(await ask('POST', ROOMS, JSON.parse(text)))).toMatchObject({
          code,
          message: expect.stringContaining(message),
        });
        expect((await good(ask('GET', ROOMS))).clean_rooms).toEqual([]);
      });

      it("a name is unique in a metastore; if it is taken, the partner's room gets another name", async () => {
        await good(
          partner('POST', ROOMS, collaborators([{ collaborator_alias: 'x', global_metastore_id: both.theirs }])),
        );
        await good(ask('POST', ROOMS, roomOf(both)));
        expect(refusal(await ask('POST', ROOMS, roomOf(both, 'OVERLAP')))).toMatchObject({
          status: 409,
          code: 'CLEAN_ROOM_ALREADY_EXISTS',
        });
        const { clean_rooms: theirs } = await good(partner('GET', ROOMS));
        expect(theirs.map(({ name }: { name: string }) => name)).toEqual(['overlap', 'overlap_partner']);
        const { clean_rooms: first, next_page_token: token } = await good(partner('GET', `${ROOMS}?page_size=1`));
        expect(first).toHaveLength(1);
        const next = await good(partner('GET', `${ROOMS}?page_size=1&page_token=${token}`));
        expect(next.clean_rooms[0].name).toBe('overlap_partner');
        expect(next.next_page_token).toBeUndefined();
        expect((await partner('GET', `${ROOMS}?page_token=x`)).status).toBe(400);
      });

      it('a user invited by e-mail owns the room; only the creator sees who was invited', async () => {
        const { userName } = await good(partner('GET', '/preview/scim/v2/Me'));
        const { workspace_id } = await good(partner('GET', `${UC}/current-metastore-assignment`));
        const invited = {
          collaborator_alias: 'partner',
          invite_recipient_email: userName,
          invite_recipient_workspace_id: workspace_id,
        };
        const body = collaborators([{ collaborator_alias: 'creator', global_metastore_id: both.own }, invited], {
          egress_network_policy: { internet_access: { restriction_mode: 'RESTRICTED_ACCESS' } },
        });
        await good(ask('POST', ROOMS, { ...body, enable_shared_output: true, owner: APPLICATION }));
        await bench.jar.clock.advance('5m');
        const ours = await good(ask('GET', ROOM));
        expect(ours).toMatchObject({ enable_shared_output: true, owner: APPLICATION });
        expect(ours.remote_detailed_info).toMatchObject({
          collaborators: [{ collaborator_alias: 'creator' }, { ...invited, global_metastore_id: both.theirs }],
          egress_network_policy: { internet_access: { restriction_mode: 'RESTRICTED_ACCESS' } },
        });
        const theirs = await good(partner('GET', ROOM));
        expect(theirs.owner).toBe(userName);
        expect(theirs.remote_detailed_info.collaborators[1].invite_recipient_email).toBeUndefined();
      });

      it('two collaborators in one metastore have two rooms there', async () => {
        const { workspace_id } = await good(ask('GET', `${UC}/current-metastore-assignment`));
        const second = {
          collaborator_alias: 'second',
          invite_recipient_email: 'nobody@vendor.example',
          invite_recipient_workspace_id: workspace_id,
        };
        const first = { collaborator_alias: 'creator', global_metastore_id: both.own };
        await good(ask('POST', ROOMS, collaborators([first, second])));
        await bench.jar.clock.advance('5m');
        expect((await good(ask('GET', `${ROOM}_second`))).local_collaborator_alias).toBe('second');
      });

      it('PATCH changes owner and comment of one side; nothing else', async () => {
        await activeRoom(bench, both);
        const { userName } = await good((await person(bench, 'licensed'))('GET', '/preview/scim/v2/Me'));
        expect(await good(ask('PATCH', ROOM, { clean_room: { comment: 'new', name: 'other' } }))).toMatchObject({
          name: 'overlap',
          comment: 'new',
        });
        expect((await good(ask('PATCH', ROOM, { owner: userName }))).owner).toBe(userName);
        expect((await good(partner('GET', ROOM))).comment).toBeUndefined();
        expect(refusal(await ask('PATCH', ROOM, { owner: 'nobody' })).code).toBe('PRINCIPAL_DOES_NOT_EXIST');
        expect((await ask('PATCH', ROOM, { owner: '' })).status).toBe(400);
        // The administrator of the metastore is no longer the owner: may change the owner, but not the comment.
        expect((await ask('PATCH', ROOM, { comment: 'mine' })).status).toBe(403);
      });

      it('after a deletion the other collaborators see DELETED, and can only delete', async () => {
        await activeRoom(bench, both);
        const etag = await approvedNotebook(both, 'print(1)');
        await good(partner('DELETE', ROOM));
        expect((await partner('GET', ROOM)).status).toBe(404);
        expect(await good(ask('GET', ROOM))).toMatchObject({
          status: 'DELETED',
          output_catalog: { status: 'NOT_ELIGIBLE' },
        });
        for (const [method, path, body] of [
          ['PATCH', '', { comment: 'x' }],
          ['GET', '/assets', undefined],
          ['GET', '/runs', undefined],
          ['GET', '/auto-approval-rules', undefined],
          ['POST', '/assets', notebook('print(1)', {}, 'other')],
          ['POST', '/output-catalogs', { catalog_name: 'x' }],
          ['POST', '/assets/NOTEBOOK_FILE/count/reviews', { notebook_review: { etag, review_state: 'APPROVED' } }],
        ] as const)
          expect(refusal(await ask(method, `${ROOM}${path}`, body)), `${method} ${path}`).toMatchObject({
            status: 400,
            code: 'INVALID_STATE',
            message: expect.stringContaining('DELETED'),
          });
        await good(ask('DELETE', ROOM));
        expect(refusal(await ask('GET', ROOM))).toMatchObject({ status: 404, code: 'CLEAN_ROOM_DOES_NOT_EXIST' });
        await activeRoom(bench, both);
        expect((await good(ask('GET', `${ROOM}/assets`))).assets).toEqual([]);
      });

      it('a room whose collaborator leaves while it is set up never becomes ACTIVE', async () => {
        await good(ask('POST', ROOMS, roomOf(both)));
        await good(partner('DELETE', ROOM));
        await bench.jar.clock.advance('10m');
        expect((await good(ask('GET', ROOM))).status).toBe('DELETED');
      });

      it('a room whose collaborator loses its metastore while it is set up has FAILED', async () => {
        const second = await good(ask('POST', `${UC}/metastores`, { name: 'second', region: 'westus2' }));
        const sides = [
          { collaborator_alias: 'creator', global_metastore_id: both.own },
          { collaborator_alias: 'second', global_metastore_id: second.global_metastore_id },
        ];
        await good(ask('POST', ROOMS, collaborators(sides)));
        await good(ask('DELETE', `${UC}/metastores/${second.metastore_id}?force=true`));
        await bench.jar.clock.advance('10m');
        expect((await good(ask('GET', ROOM))).status).toBe('FAILED');
        expect(refusal(await ask('GET', `${ROOM}/assets`)).message).toContain('could not be set up');
        await good(ask('DELETE', ROOM));
      });

      it('more than ten rooms are possible once the operator has approved an increase', async () => {
        const increases = '/platform/limit-increases';
        const { id } = await good(ask('POST', increases, { limit: 'clean-rooms', requested: 12, reason: 'partners' }));
        const make = (index: number) =>
          ask('POST', ROOMS, {
            ...collaborators([{ collaborator_alias: 'creator', global_metastore_id: both.own }]),
            name: `room_${index}`,
          });
        for (let index = 0; index < 10; index++) await good(make(index));
        expect(refusal(await make(10)).code).toBe('RESOURCE_LIMIT_EXCEEDED');
        await good(control(bench, 'POST', `platform/limit-increases/${id}/approve`));
        await good(make(10));
      });

      it('the output catalog is made once, and is a catalog of the metastore', async () => {
        await activeRoom(bench, both);
        const make = (catalog_name?: string) => ask('POST', `${ROOM}/output-catalogs`, { catalog_name });
        expect(refusal(await make())).toMatchObject({ status: 400, code: IPV });
        expect((await make('main')).status).toBe(409);
        expect(await good(make('results'))).toEqual({
          output_catalog: { catalog_name: 'results', status: 'CREATED' },
        });
        expect(refusal(await make('again'))).toMatchObject({ status: 400, code: 'RESOURCE_ALREADY_EXISTS' });
        expect((await good(ask('GET', ROOM))).output_catalog).toEqual({ catalog_name: 'results', status: 'CREATED' });
        expect((await good(partner('GET', ROOM))).output_catalog).toEqual({ status: 'NOT_CREATED' });
        expect((await good(ask('GET', `${UC}/catalogs/results`))).catalog_type).toBe('MANAGED_CATALOG');
        await good(ask('DELETE', `${UC}/catalogs/results?force=true`));
        expect((await good(ask('GET', ROOM))).output_catalog).toEqual({ status: 'NOT_CREATED' });
        await good(make('again'));
      });
    });

    describe('assets', () => {
      const add = (body: object) => ask('POST', `${ROOM}/assets`, body);

      beforeEach(async () => {
        await activeRoom(bench, both);
      });

      /** SQL creates views and foreign tables, which the jar does not run: copies the customers table with another name and type. */
      async function tableOfType(table_type: string): Promise<string> {
        const { store } = probe.jar;
        const { table_id: id } = await good(ask('GET', `${UC}/tables/main.default.customers`));
        const table = (await byId(store, id)) as Securable;
        const name = table_type.toLowerCase();
        const made = { ...table, id: `id-of-${name}`, name, fields: { ...table.fields, table_type } };
        await store.transact((tx) => tx.put(securables, keyOf(made), made));
        return `main.default.${name}`;
      }

      it('tables, views, volumes and foreign tables exist in the catalog and are of their type', async () => {
        await customers(ask);
        await good(
          ask('POST', `${UC}/volumes`, {
            catalog_name: 'main',
            schema_name: 'default',
            name: 'files',
            volume_type: 'MANAGED',
          }),
        );
        const volume = { local_name: 'main.default.files' };
        const made = await good(
          add({ name: 'Creator.Default.Files', asset_type: 'VOLUME', volume_local_details: volume }),
        );
        expect(made).toMatchObject({
          name: 'creator.default.files',
          clean_room_name: 'overlap',
          owner_collaborator_alias: 'creator',
          status: 'ACTIVE',
          added_at: expect.any(Number),
          volume_local_details: volume,
        });
        await good(add(tableAsset()));
        expect(refusal(await add(tableAsset())).code).toBe('RESOURCE_ALREADY_EXISTS');
        for (const [type, asset_type, block] of [
          ['VIEW', 'VIEW', 'view'],
          ['FOREIGN', 'FOREIGN_TABLE', 'foreign_table'],
        ] as const) {
          const local_name = await tableOfType(type);
          const body = { name: `creator.default.${block}`, asset_type, [`${block}_local_details`]: { local_name } };
          const found = await good(add(body));
          expect(found).toMatchObject({ [`${block}_local_details`]: { local_name }, [block]: { columns: [] } });
          const theirs = await good(partner('GET', `${ROOM}/assets/${asset_type}/creator.default.${block}`));
          expect(theirs[`${block}_local_details`]).toBeUndefined();
          expect(theirs.status).toBe('ACTIVE');
        }
        const wrong = (body: object) => add({ name: 'creator.default.x', ...body });
        const local = (local_name: string) => ({ local_name });
        expect(refusal(await wrong({ asset_type: 'TABLE' })).message).toContain('table_local_details.local_name');
        expect(
          refusal(await wrong({ asset_type: 'TABLE', table_local_details: local('main.default.no') })),
        ).toMatchObject({ status: 404, code: 'TABLE_DOES_NOT_EXIST' });
        expect(
          refusal(await wrong({ asset_type: 'VIEW', view_local_details: local('main.default.customers') })).message,
        ).toContain('cannot be added as VIEW');
        expect(
          refusal(
            await wrong({ asset_type: 'FOREIGN_TABLE', foreign_table_local_details: local('main.default.customers') }),
          ).message,
        ).toContain('cannot be added as FOREIGN_TABLE');
        expect(refusal(await wrong({ asset_type: 'MODEL' }))).toMatchObject({ status: 400, code: IPV });
        expect(refusal(await wrong({}))).toMatchObject({
          code: IPV,
          message: 'Missing required field: asset.asset_type',
        });
        expect(refusal(await add(tableAsset('x.y'))).message).toContain('catalog.schema.name');
        expect(refusal(await add(tableAsset('partner.default.x'))).message).toContain('another collaborator');
      });

      it('only its owner changes the partitions of a table; a deleted table is PERMISSION_DENIED', async () => {
        await customers(ask);
        await good(add(tableAsset()));
        const path = `${ROOM}/assets/TABLE/creator.default.customers`;
        const partitions = [{ values: [{ name: 'id', op: 'EQUAL', value: '1' }] }];
        const changed = await good(ask('PATCH', path, { asset: { table_local_details: { partitions } } }));
        expect(changed.table_local_details).toEqual({ local_name: 'main.default.customers', partitions });
        expect((await ask('PATCH', path, { name: 'creator.default.other' })).status).toBe(400);
        expect(refusal(await partner('PATCH', path, { table_local_details: {} }))).toMatchObject({
          status: 403,
          code: 'PERMISSION_DENIED',
        });
        expect((await partner('DELETE', path)).status).toBe(403);
        await good(ask('DELETE', `${UC}/tables/main.default.customers`));
        expect(await good(partner('GET', path))).toMatchObject({ status: 'PERMISSION_DENIED', table: { columns: [] } });
        await good(ask('DELETE', path));
        expect(refusal(await ask('GET', path))).toMatchObject({ status: 404, code: 'RESOURCE_DOES_NOT_EXIST' });
      });

      it('the owner of the room needs the privilege on an asset as long as it is in the room', async () => {
        await customers(ask);
        await good(add(tableAsset()));
        const { userName } = await good((await person(bench, 'licensed'))('GET', '/preview/scim/v2/Me'));
        await good(ask('PATCH', ROOM, { owner: userName }));
        const path = `${ROOM}/assets/TABLE/creator.default.customers`;
        expect((await good(partner('GET', path))).status).toBe('PERMISSION_DENIED');
        const give = { changes: [{ principal: userName, add: ['SELECT'] }] };
        await good(ask('PATCH', `${UC}/permissions/table/main.default.customers`, give));
        expect((await good(partner('GET', path))).status).toBe('ACTIVE');
      });

      it('analyses of JARs and Genie spaces are stored with their fields', async () => {
        const analysis = { main_class: 'Main', jar_path: '/Volumes/a/b/c.jar' };
        const jar = await good(add({ name: 'jar', asset_type: 'JAR_ANALYSIS', jar_analysis: analysis }));
        expect(jar.jar_analysis).toMatchObject({ ...analysis, review_state: 'PENDING', etag: expect.any(String) });
        const path = `${ROOM}/assets/JAR_ANALYSIS/jar`;
        await good(
          partner('POST', `${path}/reviews`, {
            notebook_review: { etag: jar.jar_analysis.etag, review_state: 'APPROVED' },
          }),
        );
        expect((await good(ask('GET', path))).jar_analysis.review_state).toBe('APPROVED');
        expect(refusal(await ask('GET', `${path}/revisions`)).message).toContain('NOTEBOOK_FILE');
        const space = { space_id: '0123' };
        expect(await good(add({ name: 'space', asset_type: 'GENIE_SPACE', genie_space: space }))).toMatchObject({
          genie_space: space,
          status: 'ACTIVE',
        });
        const at = `${ROOM}/assets/GENIE_SPACE/space`;
        expect(refusal(await partner('POST', `${at}/reviews`, { notebook_review: {} })).message).toContain(
          'cannot be reviewed',
        );
        expect((await good(ask('PATCH', at, { genie_space: { space_id: '4' } }))).genie_space).toEqual({
          space_id: '4',
        });
        const { assets, next_page_token: token } = await good(ask('GET', `${ROOM}/assets?page_size=1`));
        expect(assets).toHaveLength(1);
        const rest = await good(ask('GET', `${ROOM}/assets?page_size=1&page_token=${token}`));
        expect(rest).toMatchObject({ assets: [{ name: 'space' }] });
        expect(rest.next_page_token).toBeUndefined();
      });

      it.each([
        [{ notebook_content: undefined }, 'notebook_content'],
        [{ notebook_content: '' }, 'base64'],
        [{ notebook_content: 'no base64!' }, 'base64'],
        [{ runner_collaborator_aliases: ['stranger'] }, "no collaborator 'stranger'"],
      ])('a notebook that makes no sense is refused: %j', async (more, message) => {
        const reply = refusal(await add(notebook('print(1)', more)));
        expect(reply).toMatchObject({ status: 400, code: IPV, message: expect.stringContaining(message) });
      });

      it('a changed notebook has a new etag, and needs new reviews; its revisions can be read', async () => {
        const first = (await good(add(notebook('print(1)')))).notebook;
        await good(review(partner, first.etag, 'APPROVED'));
        // An update without changes creates no new version.
        const same = await good(ask('PATCH', NOTEBOOK, notebook('print(1)')));
        expect(same.notebook).toMatchObject({ etag: first.etag, review_state: 'APPROVED' });
        const second = (await good(ask('PATCH', NOTEBOOK, { asset: notebook('print(2)', { etag: first.etag }) })))
          .notebook;
        expect(second).toMatchObject({ review_state: 'PENDING', reviews: [] });
        expect(second.etag).not.toBe(first.etag);
        expect(refusal(await ask('PATCH', NOTEBOOK, notebook('print(3)', { etag: first.etag })))).toMatchObject({
          status: 409,
          code: 'ABORTED',
        });
        // The runners are part of the version.
        const third = (await good(ask('PATCH', NOTEBOOK, { notebook: { runner_collaborator_aliases: ['creator'] } })))
          .notebook;
        expect(third).toMatchObject({ notebook_content: base64('print(2)'), runner_collaborator_aliases: ['creator'] });
        const page = await good(partner('GET', `${NOTEBOOK}/revisions?page_size=2`));
        const etags = (list: { notebook: { etag: string } }[]) => list.map((each) => each.notebook.etag);
        expect(etags(page.revisions)).toEqual([third.etag, second.etag]);
        const rest = await good(partner('GET', `${NOTEBOOK}/revisions?page_size=2&page_token=${page.next_page_token}`));
        expect(etags(rest.revisions)).toEqual([first.etag]);
        const old = await good(partner('GET', `${NOTEBOOK}/revisions/${first.etag}`));
        expect(old.notebook).toMatchObject({ notebook_content: base64('print(1)'), review_state: 'APPROVED' });
        expect((await partner('GET', `${NOTEBOOK}/revisions/none`)).status).toBe(404);
        await good(ask('DELETE', NOTEBOOK));
        expect((await partner('GET', `${NOTEBOOK}/revisions`)).status).toBe(404);
      });

      it('a review names the current etag; one rejection rejects, and PENDING withdraws it', async () => {
        const { etag } = (await good(add(notebook('print(1)')))).notebook;
        expect(refusal(await review(partner, 'stale', 'APPROVED'))).toMatchObject({ status: 409, code: 'ABORTED' });
        expect(refusal(await review(partner, '', 'APPROVED')).message).toContain('notebook_review.etag');
        expect(refusal(await review(partner, etag, 'MAYBE')).message).toContain('review_state');
        expect(refusal(await partner('POST', `${NOTEBOOK}/reviews`, {})).message).toContain('notebook_review');
        expect(refusal(await review(ask, etag, 'APPROVED')).message).toContain('is its author');
        const state = async (word: string) => (await good(review(partner, etag, word))).notebook_review_state;
        expect(await state('REJECTED')).toBe('REJECTED');
        expect(await state('PENDING')).toBe('PENDING');
        expect(await state('APPROVED')).toBe('APPROVED');
        const { notebook: shown } = await good(ask('GET', NOTEBOOK));
        expect(shown.reviews).toEqual([
          { reviewer_collaborator_alias: 'partner', review_state: 'APPROVED', created_at_millis: expect.any(Number) },
        ]);
      });
    });

    describe('auto-approval rules', () => {
      const RULES = `${ROOM}/auto-approval-rules`;

      beforeEach(async () => {
        await activeRoom(bench, both);
      });

      it('a rule approves later versions, on behalf of its creator', async () => {
        const rule = { author_scope: 'ANY_AUTHOR', runner_collaborator_alias: 'partner' };
        const made = await good(partner('POST', RULES, { auto_approval_rule: rule }));
        expect(made).toEqual({
          ...rule,
          rule_id: expect.any(String),
          clean_room_name: 'overlap',
          rule_owner_collaborator_alias: 'partner',
          created_at: expect.any(Number),
        });
        const { notebook: added } = await good(ask('POST', `${ROOM}/assets`, notebook('print(1)')));
        expect(added).toMatchObject({
          review_state: 'APPROVED',
          reviews: [{ reviewer_collaborator_alias: 'partner', review_sub_reason: 'AUTO_APPROVED' }],
        });
        // The rule does not cover a notebook that the author runs as well.
        const runners = { runner_collaborator_aliases: ['partner', 'creator'] };
        const both_ = await good(ask('POST', `${ROOM}/assets`, notebook('print(1)', runners, 'both')));
        expect(both_.notebook.review_state).toBe('PENDING');
        expect(await good(ask('GET', `${RULES}/${made.rule_id}`))).toEqual(made);
        expect((await good(ask('GET', RULES))).rules).toEqual([made]);
        expect(refusal(await ask('DELETE', `${RULES}/${made.rule_id}`))).toMatchObject({ status: 403 });
        expect((await ask('PATCH', `${RULES}/${made.rule_id}`, rule)).status).toBe(403);
        const other = { author_collaborator_alias: 'creator' };
        const changed = await good(partner('PATCH', `${RULES}/${made.rule_id}`, { auto_approval_rule: other }));
        expect(changed).toMatchObject({ ...other, rule_id: made.rule_id });
        expect(changed.author_scope).toBeUndefined();
        await good(partner('DELETE', `${RULES}/${made.rule_id}`));
        expect((await partner('GET', `${RULES}/${made.rule_id}`)).status).toBe(404);
        expect((await good(partner('GET', RULES))).rules).toEqual([]);
      });

      it.each([
        [{}, 'either'],
        [{ author_scope: 'ANY_AUTHOR', author_collaborator_alias: 'creator' }, 'either'],
        [{ author_scope: 'NOBODY' }, 'ANY_AUTHOR'],
        [{ author_collaborator_alias: 'stranger' }, 'stranger'],
        [{ author_scope: 'ANY_AUTHOR', runner_collaborator_alias: 'stranger' }, 'stranger'],
        [{ author_collaborator_alias: 'creator', runner_collaborator_alias: 'creator' }, 'is both'],
      ])('a rule that makes no sense is refused: %j', async (rule, message) => {
        const reply = refusal(await partner('POST', RULES, { auto_approval_rule: rule }));
        expect(reply).toMatchObject({ status: 400, code: IPV, message: expect.stringContaining(message) });
      });

      it('a rule that is added later lets an unreviewed notebook run', async () => {
        await good(ask('POST', `${ROOM}/assets`, notebook('# cloudjar: echo ran')));
        const waiting = await submit(partner);
        expect(await stateOf(partner, waiting)).toEqual(['FAILED', expect.stringContaining('PENDING')]);
        await good(partner('POST', RULES, { auto_approval_rule: { author_collaborator_alias: 'creator' } }));
        const run = await submit(partner);
        await bench.jar.settled();
        expect(await stateOf(partner, run)).toEqual(['SUCCESS', '']);
      });
    });

    describe('who may what', () => {
      let other: Ask;
      let user: string;
      const give = (type: string, name: string, ...add: string[]) =>
        good(ask('PATCH', `${UC}/permissions/${type}/${name}`, { changes: [{ principal: user, add }] }));

      beforeEach(async () => {
        other = await person(bench, 'licensed');
        user = (await good(other('GET', '/preview/scim/v2/Me'))).userName;
      });

      it('creating a room needs CREATE_CLEAN_ROOM on the metastore, checked before the body', async () => {
        expect(refusal(await other('POST', ROOMS, 5))).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
        await give('metastore', both.own.split(':')[2] as string, 'CREATE_CLEAN_ROOM');
        expect((await good(other('POST', ROOMS, roomOf(both)))).owner).toBe(user);
      });

      it('BROWSE shows a room, MODIFY_CLEAN_ROOM changes it, EXECUTE_CLEAN_ROOM_TASK runs in it, MANAGE transfers it', async () => {
        await activeRoom(bench, both);
        const { etag } = (await good(partner('POST', `${ROOM}/assets`, notebook('# cloudjar: echo ran')))).notebook;
        expect(refusal(await other('GET', ROOM))).toMatchObject({ status: 403 });
        expect((await good(other('GET', ROOMS))).clean_rooms).toEqual([]);
        expect(refusal(await other('POST', `${ROOM}/assets`, 5))).toMatchObject({ status: 403 });
        const hidden = await submit(other);
        expect((await stateOf(other, hidden))[1]).toContain('does not exist');
        await give('clean_room', 'overlap', 'BROWSE');
        expect((await good(other('GET', ROOM))).name).toBe('overlap');
        expect((await good(other('GET', ROOMS))).clean_rooms).toHaveLength(1);
        expect((await other('GET', `${ROOM}/assets`)).status).toBe(200);
        expect((await review(other, etag, 'APPROVED')).status).toBe(403);
        expect((await other('PATCH', ROOM, { comment: 'x' })).status).toBe(403);
        await give('clean_room', 'overlap', 'MODIFY_CLEAN_ROOM');
        await good(review(other, etag, 'APPROVED'));
        await good(other('PATCH', ROOM, { comment: 'x' }));
        expect((await other('PATCH', ROOM, { owner: user })).status).toBe(403);
        expect((await other('POST', `${ROOM}/auto-approval-rules`, {})).status).toBe(403);
        // Creating the output catalog needs a privilege on the metastore, as for any catalog.
        expect((await other('POST', `${ROOM}/output-catalogs`, { catalog_name: 'x' })).status).toBe(403);
        const denied = await submit(other);
        expect((await stateOf(other, denied))[1]).toContain('EXECUTE CLEAN ROOM TASK');
        await give('clean_room', 'overlap', 'EXECUTE_CLEAN_ROOM_TASK');
        const run = await submit(other);
        await bench.jar.settled();
        expect(await stateOf(other, run)).toEqual(['SUCCESS', '']);
        expect((await other('DELETE', ROOM)).status).toBe(403);
        await give('clean_room', 'overlap', 'MANAGE');
        expect((await good(other('PATCH', ROOM, { owner: user }))).owner).toBe(user);
        await good(other('DELETE', ROOM));
      });

      it('a privilege that does not apply to rooms is refused', async () => {
        await activeRoom(bench, both);
        const changes = [{ principal: user, add: ['SELECT'] }];
        expect(refusal(await ask('PATCH', `${UC}/permissions/clean_room/overlap`, { changes }))).toMatchObject({
          status: 400,
          code: IPV,
        });
      });

      it('the quota of the metastore shows the number of rooms', async () => {
        await activeRoom(bench, both);
        const id = both.own.split(':')[2];
        const { quota_info: quota } = await good(ask('GET', `${UC}/resource-quotas/metastore/${id}/clean-room-quota`));
        expect(quota).toMatchObject({ quota_count: 1, quota_limit: 10 });
        await good(ask('DELETE', ROOM));
        const after = await good(ask('GET', `${UC}/resource-quotas/metastore/${id}/clean-room-quota`));
        expect(after.quota_info.quota_count).toBe(0);
      });
    });
  },
  { ...REAL_TIMES, services: [...SERVICES, probe.service] },
);
