import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { device, errorAttachment, exception, handledError, managedError, post } from '../sdk.ts';
import { administrator, makeApp, person } from '../support.ts';

const START = 'start=2000-01-01T00:00:00Z';

onBothStores('the story of a crash', (bench) => {
  it('is grouped, read, closed and deleted, by users with the right', async () => {
    const admin = await administrator(bench);
    const app = await makeApp(admin, 'Shop');
    const at = '/apps/admin/Shop/errors';
    const [phone, tablet, crash] = [randomUUID(), randomUUID(), randomUUID()];
    const sent = await post(bench, app, phone, [
      errorAttachment(crash, 'what the user did'),
      managedError({ id: crash, userId: 'ada', properties: {} }),
      handledError({ screen: 'cart' }),
    ]);
    expect(sent.status).toBe(200);
    expect(sent.body.validDiagnosticsIds).toContain(crash);
    await post(bench, app, tablet, [managedError({ device: device({ model: 'Tablet', osVersion: '12' }) })]);

    const listed = await admin.call('GET', `${at}/errorGroups?${START}&errorType=unhandledError`);
    expect(listed.status).toBe(200);
    expect(listed.body).toMatchObject({
      errorGroups: [
        {
          state: 'open',
          appVersion: '1.0',
          appBuild: '1',
          count: 2,
          deviceCount: 2,
          exceptionType: 'java.lang.IllegalStateException',
          exceptionMessage: 'it went wrong',
          exceptionClassName: 'com.example.app.MainActivity',
          exceptionMethod: 'onClick',
          exceptionAppCode: true,
          exceptionFile: 'MainActivity.java',
          exceptionLine: '42',
          reasonFrames: [{ language: 'Java', codeRaw: 'com.example.app.MainActivity.onClick(MainActivity.java:42)' }],
        },
      ],
    });
    const group = `${at}/errorGroups/${listed.body.errorGroups[0].errorGroupId}`;
    const errors = (await admin.call('GET', `${group}/errors?${START}`)).body.errors;
    expect(errors).toHaveLength(2);
    expect(errors).toContainEqual(
      expect.objectContaining({
        errorId: crash,
        userId: 'ada',
        hasAttachments: true,
        deviceName: 'Pixel 6',
        osType: 'Android',
      }),
    );
    const detail = await admin.call('GET', `${group}/errors/${crash}`);
    expect(detail.body).toMatchObject({
      name: 'java.lang.IllegalStateException',
      appLaunchTimestamp: '2024-01-01T00:00:00.000Z',
      carrierName: 'Example Mobile',
    });
    const trace = (await admin.call('GET', `${group}/errors/${crash}/stacktrace`)).body;
    expect(trace.exception.frames.map((frame: { app_code: boolean }) => frame.app_code)).toEqual([true, false]);
    expect(trace.threads).toMatchObject([{ title: 'main', crashed: true, relevant: true, platform: 'android' }]);
    expect((await admin.call('GET', `${group}/stacktrace`)).body.reason).toBe('it went wrong');

    const attached = (await admin.call('GET', `${at}/${crash}/attachments`)).body;
    expect(attached).toMatchObject([{ contentType: 'text/plain', fileName: 'notes.txt', size: 17, crashId: crash }]);
    const attachment = `${at}/${crash}/attachments/${attached[0].attachmentId}`;
    expect((await admin.call('GET', `${attachment}/text`)).body).toEqual({ content: 'what the user did' });
    const { uri } = (await admin.call('GET', `${attachment}/location`)).body;
    expect(await (await fetch(uri)).text()).toBe('what the user did');

    const reader = await person(bench, 'reader', 'viewer');
    expect((await reader.call('GET', `${at}/errorGroups?${START}`)).status).toBe(404);
    const closed = await admin.call('PATCH', group, { state: 'closed', annotation: 'fixed in 1.1' });
    expect(closed.body).toMatchObject({ state: 'closed', annotation: 'fixed in 1.1', count: 2 });
    expect((await admin.call('GET', `${at}/errorGroups?${START}&groupState=open`)).body.errorGroups).toHaveLength(1);

    const gone = await admin.call('DELETE', `${group}/errors/${crash}`);
    expect(gone.body).toMatchObject({ errorId: crash, errorsDeleted: 1, attachmentsDeleted: 1 });
    expect((await admin.call('GET', group)).body).toMatchObject({ count: 1, deviceCount: 1, state: 'closed' });
    expect((await fetch(uri)).status).toBe(404);
    expect((await admin.call('DELETE', `${group}/errors/${crash}`)).status).toBe(404);
  });

  it('counts a report that is sent again once, even at the same moment', async () => {
    const admin = await administrator(bench);
    const app = await makeApp(admin, 'Again');
    const crash = managedError({ device: device(), timestamp: bench.jar.clock.now().toISOString() });
    const installId = randomUUID();
    const replies = await Promise.all(Array.from({ length: 4 }, () => post(bench, app, installId, [crash, crash])));
    for (const { body } of replies) expect(body.validDiagnosticsIds).toEqual([crash.id]);
    const { errorGroups } = (await admin.call('GET', `/apps/admin/Again/errors/errorGroups?${START}`)).body;
    expect(errorGroups).toMatchObject([{ count: 1, deviceCount: 1 }]);
  });

  it('keeps reports for 90 days, or for 28 if configured, and groups as long as they have reports', async () => {
    const admin = await administrator(bench);
    const app = await makeApp(admin, 'Kept');
    const at = '/apps/admin/Kept/errors';
    const groups = async () => (await admin.call('GET', `${at}/errorGroups?${START}`)).body.errorGroups;
    await post(bench, app, randomUUID(), [managedError(), errorAttachment(randomUUID(), 'of a crash that never came')]);
    await bench.jar.clock.advance('30d');
    await post(bench, app, randomUUID(), [managedError()]);
    expect(await groups()).toMatchObject([{ count: 2, deviceCount: 2 }]);
    expect((await admin.call('GET', `${at}/retention_settings`)).body).toEqual({ retention_in_days: 90 });
    expect((await admin.call('PUT', `${at}/retention_settings`, { retention_in_days: 30 })).status).toBe(400);
    await admin.call('PUT', `${at}/retention_settings`, { retention_in_days: 28 });
    await bench.jar.clock.advance('1ms');
    expect(await groups()).toMatchObject([{ count: 1, deviceCount: 1 }]);
    await bench.jar.clock.advance('29d');
    expect(await groups()).toEqual([]);
  });

  it('takes what no database likes: characters that are none, and names without end', async () => {
    const admin = await administrator(bench);
    const app = await makeApp(admin, 'Odd');
    const odd = exception(`Type${'x'.repeat(5000)}`, 'bro\0ken \ud800', [
      { className: `c\0${'y'.repeat(5000)}`, methodName: '\udfff' },
    ]);
    const crash = managedError({ exception: odd, 'na\0me': 'x' }) as { id: string };
    expect((await post(bench, app, randomUUID(), [crash])).body.validDiagnosticsIds).toEqual([crash.id]);
    const [group] = (await admin.call('GET', `/apps/admin/Odd/errors/errorGroups?${START}`)).body.errorGroups;
    expect(group.exceptionMessage).toBe('broken \ufffd');
    expect(group.exceptionType).toHaveLength(1000);
    const path = `/apps/admin/Odd/errors/errorGroups/${group.errorGroupId}/errors/${crash.id}`;
    expect((await admin.call('GET', `${path}/download`)).status).toBe(200);
  });

  it('takes sixty crashes and sixty errors a minute, and says which it did not take', async () => {
    const admin = await administrator(bench);
    const app = await makeApp(admin, 'Many');
    const crashes = Array.from({ length: 62 }, (_, index) =>
      managedError({ exception: exception(`Crash${index % 3}`) }),
    );
    const late = crashes.at(-1) as { id: string };
    const reply = await post(bench, app, randomUUID(), [
      ...crashes,
      errorAttachment(late.id, 'too late'),
      handledError(),
    ]);
    expect(reply.body.validDiagnosticsIds).toHaveLength(61);
    expect(reply.body.throttledDiagnosticsIds).toHaveLength(3);
    const counts = await admin.call(
      'GET',
      `/apps/admin/Many/errors/errorCountsPerDay?start=${bench.jar.clock.now().toISOString()}&errorType=unhandledError`,
    );
    expect(counts.body.count).toBe(60);
    await bench.jar.clock.advance('2m');
    expect((await post(bench, app, randomUUID(), [late])).body.validDiagnosticsIds).toEqual([late.id]);
  });
});
