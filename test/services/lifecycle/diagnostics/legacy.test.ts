import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { errorAttachment, exception, handledError, managedError, post } from '../sdk.ts';
import { administrator, makeApp, type Person } from '../support.ts';

withJar((bench) => {
  let admin: Person;
  let group = '';
  const crash = randomUUID();
  const call = (method: string, path: string, body?: unknown) => admin.call(method, `/apps/admin/Shop${path}`, body);

  beforeAll(async () => {
    admin = await administrator(bench);
    const app = await makeApp(admin, 'Shop');
    expect((await call('GET', '/crashes_info')).body.has_crashes).toBe(false);
    await post(bench, app, randomUUID(), [managedError({ id: crash, userId: 'ada' }), errorAttachment(crash, 'notes')]);
    await bench.jar.clock.advance('1h');
    await post(bench, app, randomUUID(), [handledError({}, { exception: exception('Other') })]);
    group = (await call('GET', '/crash_groups?$orderby=last_occurrence asc')).body.crash_groups[0].crash_group_id;
  });

  it('the app has crashes, and versions that had them', async () => {
    expect((await call('GET', '/crashes_info')).body).toMatchObject({ has_crashes: true, features: { search: true } });
    expect((await call('GET', '/versions')).body).toMatchObject([
      { app_version: '1.0', build_number: '1', display_name: 'Shop' },
    ]);
  });

  it('groups are listed by when they last occurred, and found by what they are', async () => {
    const all = (await call('GET', '/crash_groups')).body;
    expect(all).toMatchObject({ limited_result_set: false, crash_groups: [{ fatal: false }, { fatal: true }] });
    for (const [query, found] of [
      ['group_text_search=onclick', 2],
      ['group_text_search=Other', 1],
      ['app_version=2', 0],
      ['group_status=closed', 0],
      [`last_occurrence_to=${all.crash_groups[1].last_occurrence}`, 1],
      [`last_occurrence_from=${all.crash_groups[0].last_occurrence}`, 1],
    ]) {
      expect((await call('GET', `/crash_groups?${query}`)).body.crash_groups, String(query)).toHaveLength(
        Number(found),
      );
    }
    expect((await call('GET', '/crash_groups?continuation_token=abc')).body).toEqual({
      message: "The 'continuation_token' is not valid for this list.",
    });
  });

  it('a group is read and changed', async () => {
    expect((await call('GET', `/crash_groups/${group}`)).body).toMatchObject({
      status: 'open',
      count: 1,
      impacted_users: 1,
      exception: 'java.lang.IllegalStateException',
      crash_reason: 'it went wrong',
      reason_frame: {
        class_name: 'com.example.app.MainActivity',
        code_formatted: 'com.example.app.MainActivity.onClick (MainActivity.java:42)',
      },
      annotation: '',
    });
    const changed = await call('PATCH', `/crash_groups/${group}`, { annotation: 'seen' });
    expect(changed.body).toMatchObject({ status: 'open', annotation: 'seen' });
    expect((await call('PATCH', `/crash_groups/${group}`, { status: 'closed' })).body).toMatchObject({
      status: 'closed',
      annotation: 'seen',
    });
    expect((await call('GET', `/crash_groups/${group}/stacktrace?grouping_only=true`)).body.threads).toHaveLength(1);
    expect((await call('GET', `/crash_groups/${randomUUID()}`)).status).toBe(404);
  });

  it('a crash is read in all its forms, and deleted', async () => {
    const path = `/crash_groups/${group}/crashes`;
    expect((await call('GET', path)).body).toMatchObject([{ crash_id: crash, user_name: 'ada', os_type: 'Android' }]);
    const one = await call('GET', `${path}/${crash}?include_details=true&include_stacktrace=true`);
    expect(one).toMatchObject({
      status: 201,
      body: { details: { rooted: false, locale: 'en_US' }, stacktrace: { reason: 'it went wrong' } },
    });
    expect((await call('GET', `${path}/${crash}`)).body.details).toBeUndefined();
    expect((await call('GET', `${path}/${crash}/stacktrace`)).body.title).toContain('onClick');
    expect((await call('GET', `${path}/${crash}/native`)).text).toContain(
      '    at com.example.app.MainActivity.onClick',
    );
    expect((await call('GET', `${path}/${crash}/native/download`)).headers.get('content-disposition')).toContain(
      `${crash}.txt`,
    );
    const { uri } = (await call('GET', `${path}/${crash}/raw/location`)).body;
    expect(await (await fetch(uri)).json()).toMatchObject({ id: crash });
    const [attachment] = (await call('GET', `/crashes/${crash}/attachments`)).body;
    expect(attachment).toMatchObject({ file_name: 'notes.txt', size: 5, crash_id: crash });
    const at = `/crashes/${crash}/attachments/${attachment.attachment_id}`;
    expect((await call('GET', `${at}/text`)).text).toBe('notes');
    expect(await (await fetch((await call('GET', `${at}/location`)).body.uri)).text()).toBe('notes');
    expect((await call('GET', `/crashes/${crash}/session_logs`)).body.logs).toEqual([]);
    expect((await call('DELETE', `${path}/${crash}`)).body).toMatchObject({
      crashes_deleted: 1,
      attachments_deleted: 1,
    });
    expect((await call('GET', `/crash_groups/${group}`)).status).toBe(404);
  });

  it('webhooks are an empty list', async () => {
    expect((await call('GET', '/webhooks')).body).toEqual({ values: [] });
  });
});
