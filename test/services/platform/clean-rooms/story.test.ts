import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { all, workspaceClient } from '../sdk.ts';
import { good } from '../support.ts';
import { base64, customers, type Parties, parties, ROOMS, roomOf, tableAsset, UC } from './support.ts';

const NOTEBOOK = `# Databricks notebook source
# cloudjar: echo counting in $cr_output_catalog.$cr_output_schema for $region
# cloudjar: echo '::cloudjar::table {"name":"found","columns":[{"name":"n","type_name":"LONG"},{"name":"who","type_name":"STRING"}],"rows":[[41,"a"],[42,null]]}'
# cloudjar: echo '::cloudjar::exit "42 in common"'
# cloudjar: sleep 120
# COMMAND ----------
spark.sql(f"CREATE TABLE {cr_output_catalog}.{cr_output_schema}.by_region (region STRING, n BIGINT)")
`;

onBothStores('data platform: clean rooms', (bench) => {
  let both: Parties;

  beforeEach(async () => {
    both = await parties(bench);
  });

  it('two organisations make a clean room, share a table and a notebook, approve, run and read the output', async () => {
    const { ask, partner } = both;
    const ours = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    const theirs = workspaceClient(bench, { token: await bench.jar.token({ user: 'other' }) });

    // The setup takes five minutes, for both parties.
    const waiter = await ours.cleanRooms.create({ clean_room: roomOf(both) });
    expect(Object.keys(waiter).sort()).toEqual(
      expect.arrayContaining(['comment', 'created_at', 'name', 'owner', 'status']),
    );
    expect((await ours.cleanRooms.get({ name: 'overlap' })).status).toBe('PROVISIONING');
    await bench.jar.clock.advance('5m');
    const room = await waiter.wait();
    expect(room).toMatchObject({ status: 'ACTIVE', local_collaborator_alias: 'creator' });
    expect(await theirs.cleanRooms.get({ name: 'overlap' })).toMatchObject({
      status: 'ACTIVE',
      local_collaborator_alias: 'partner',
      output_catalog: { status: 'NOT_CREATED' },
      remote_detailed_info: { creator: { collaborator_alias: 'creator' } },
    });
    expect((await all(theirs.cleanRooms.list({}))).map(({ name }) => name)).toEqual(['overlap']);

    // A table of the creator: only its owner sees its local name.
    await customers(ask);
    const asset = await ours.cleanRoomAssets.create({ clean_room_name: 'overlap', asset: tableAsset() as never });
    expect(asset).toMatchObject({
      status: 'ACTIVE',
      owner_collaborator_alias: 'creator',
      table_local_details: { local_name: 'main.default.customers' },
      table: { columns: [{ name: 'id' }, { name: 'email' }] },
    });
    const seen = await theirs.cleanRoomAssets.get({
      clean_room_name: 'overlap',
      asset_type: 'TABLE',
      name: 'creator.default.customers',
    });
    expect(seen.table?.columns).toHaveLength(2);
    expect(seen.table_local_details).toBeUndefined();

    // A notebook of the creator, which the partner approves and runs.
    const added = await ours.cleanRoomAssets.create({
      clean_room_name: 'overlap',
      asset: { name: 'count', asset_type: 'NOTEBOOK_FILE', notebook: { notebook_content: base64(NOTEBOOK) } },
    });
    expect(added.notebook).toMatchObject({ review_state: 'PENDING', runner_collaborator_aliases: ['partner'] });
    const etag = added.notebook?.etag ?? '';
    const reviewed = await theirs.cleanRoomAssets.createCleanRoomAssetReview({
      clean_room_name: 'overlap',
      asset_type: 'NOTEBOOK_FILE',
      name: 'count',
      notebook_review: { etag, review_state: 'APPROVED', comment: 'fine' },
    });
    expect(reviewed).toMatchObject({
      notebook_review_state: 'APPROVED',
      notebook_reviews: [{ reviewer_collaborator_alias: 'partner', comment: 'fine' }],
    });
    const { output_catalog: made } = await theirs.cleanRooms.createOutputCatalog({
      clean_room_name: 'overlap',
      output_catalog: { catalog_name: 'results' },
    });
    expect(made).toEqual({ catalog_name: 'results', status: 'CREATED' });
    const { job_id } = await theirs.jobs.create({
      name: 'common customers',
      tasks: [
        {
          task_key: 'count',
          clean_rooms_notebook_task: {
            clean_room_name: 'overlap',
            notebook_name: 'count',
            etag,
            notebook_base_parameters: { region: 'all' },
          },
        },
      ],
    });
    const { run_id } = await good(partner('POST', '/api/2.2/jobs/run-now', { job_id }));
    const [running] = await all(theirs.cleanRoomTaskRuns.list({ clean_room_name: 'overlap' }));
    expect(running).toMatchObject({
      notebook_name: 'count',
      notebook_etag: etag,
      notebook_job_run_state: { life_cycle_state: 'RUNNING' },
      collaborator_job_run_info: { collaborator_alias: 'partner', collaborator_job_id: job_id },
    });
    await bench.jar.clock.advance('2m');
    await bench.jar.settled();

    const { tasks } = await good(partner('GET', `/api/2.2/jobs/runs/get?run_id=${run_id}`));
    expect(tasks[0].state).toMatchObject({ life_cycle_state: 'TERMINATED', result_state: 'SUCCESS' });
    const schema = `run_${tasks[0].run_id}`;
    const output = await theirs.jobs.getRunOutput({ run_id: tasks[0].run_id });
    expect(output.logs).toBe(`counting in results.${schema} for all\n`);
    expect(output.clean_rooms_notebook_output).toEqual({
      clean_room_job_run_state: { life_cycle_state: 'TERMINATED', result_state: 'SUCCESS' },
      notebook_output: { result: '42 in common', truncated: false },
      output_schema_info: { catalog_name: 'results', schema_name: schema, expiration_time: expect.any(Number) },
    });
    const { tables } = await good(partner('GET', `${UC}/tables?catalog_name=results&schema_name=${schema}`));
    expect(
      tables.map(({ name, columns }: never) => [name, (columns as { name: string }[]).map((c) => c.name)]),
    ).toEqual([
      ['by_region', ['region', 'n']],
      ['found', ['n', 'who']],
    ]);
    const [ended] = await all(theirs.cleanRoomTaskRuns.list({ clean_room_name: 'overlap' }));
    expect(ended).toMatchObject({
      run_duration: 120_000,
      output_schema_name: schema,
      notebook_job_run_state: { result_state: 'SUCCESS' },
    });
    // The creator sees that it ran, but not the output.
    const [told] = await all(ours.cleanRoomTaskRuns.list({ clean_room_name: 'overlap' }));
    expect(told?.collaborator_job_run_info).toEqual({ collaborator_alias: 'partner' });
    expect(told?.output_schema_name).toBeUndefined();

    // The output expires after 30 days.
    await bench.jar.clock.advance('29d');
    expect((await partner('GET', `${UC}/schemas/results.${schema}`)).status).toBe(200);
    await bench.jar.clock.advance('2d');
    await bench.jar.settled();
    expect((await partner('GET', `${UC}/schemas/results.${schema}`)).status).toBe(404);

    // After the creator has deleted the room, the partner can only delete it too.
    await ours.cleanRooms.delete({ name: 'overlap' });
    expect((await ask('GET', `${ROOMS}/overlap`)).status).toBe(404);
    expect((await theirs.cleanRooms.get({ name: 'overlap' })).status).toBe('DELETED');
    expect((await partner('GET', `${ROOMS}/overlap/assets`)).status).toBe(400);
    await theirs.cleanRooms.delete({ name: 'overlap' });
    expect(await all(theirs.cleanRooms.list({}))).toEqual([]);
  });
});
