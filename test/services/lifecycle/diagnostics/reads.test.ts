import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, withJar } from '../../../support/jars.ts';
import { generatedClient } from '../clients/generated-client.ts';
import {
  appleError,
  device,
  errorAttachment,
  exception,
  handledError,
  managedError,
  post,
  startSession,
} from '../sdk.ts';
import { administrator, makeApp, type Person, person } from '../support.ts';

const AT = '/apps/admin/Shop/errors';
const OLD = 'start=2000-01-01T00:00:00Z';
const frame = (className: string, methodName: string, lineNumber = 1) => ({
  className,
  methodName,
  fileName: `${className.split('.').at(-1)}.java`,
  lineNumber,
});
const thrown = (type: string, method: string, lineNumber?: number) =>
  exception(type, `${type} in ${method}`, [frame('java.util.List', 'get'), frame('com.shop.Cart', method, lineNumber)]);

withJar((bench) => {
  let admin: Person;
  let app: { app_secret: string };
  let today = '';
  const crashed = randomUUID();
  const newer = device({ appVersion: '1.10', appBuild: '20', model: 'Fold', osVersion: '14' });
  const older = device({ appVersion: '1.9', appBuild: '7' });
  const get = async (path: string) => {
    const reply = await admin.call('GET', `${AT}${path}`);
    expect(reply, reply.text).toMatchObject({ status: 200 });
    return reply.body;
  };
  const groupsWhere = async (query: string) => (await get(`/errorGroups?${query}`)).errorGroups;

  beforeAll(async () => {
    admin = await administrator(bench);
    app = await makeApp(admin, 'Shop');
    await makeApp(admin, 'Other');
    const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
    await post(bench, app, one, [
      startSession({ device: older }),
      managedError({
        id: crashed,
        device: older,
        userId: 'Ada',
        exception: thrown('java.lang.NullPointerException', 'pay', 3),
      }),
      errorAttachment(crashed, 'notes'),
    ]);
    await bench.jar.clock.advance('1d');
    today = bench.jar.clock.now().toISOString().slice(0, 10);
    await post(bench, app, one, [
      startSession({ device: older }),
      managedError({ device: older, exception: thrown('java.lang.NullPointerException', 'pay', 9) }),
      managedError({ device: older, exception: thrown('java.lang.NullPointerException', 'ship') }),
      handledError({ a: '1' }, { device: older, exception: thrown('java.lang.NullPointerException', 'pay') }),
    ]);
    await post(bench, app, two, [
      startSession({ device: newer }),
      managedError({ device: newer, exception: thrown('java.lang.NullPointerException', 'pay') }),
    ]);
    await post(bench, app, three, [startSession({ device: older }), startSession({ device: newer })]);
  });

  describe('groups', () => {
    it('are of the same type and place, whatever the line, in one build and of one kind', async () => {
      const groups = await groupsWhere(OLD);
      expect(groups.map((each: { count: number }) => each.count)).toEqual([2, 1, 1, 1]);
      expect(groups[0]).toMatchObject({
        appVersion: '1.9',
        exceptionClassName: 'com.shop.Cart',
        exceptionMethod: 'pay',
      });
      expect(new Set(groups.map((each: { errorGroupId: string }) => each.errorGroupId)).size).toBe(4);
    });

    it.each([
      ['&version=1.10', 1],
      ['&version=1.9&app_build=7', 3],
      ['&app_build=none', 0],
      ['&errorType=handledError', 1],
      ['&errorType=all', 4],
      ['&groupState=ignored', 0],
      ['&end=2000-02-01T00:00:00Z', 0],
      ['&$top=0', 4],
    ])('are found by %s', async (query, found) => {
      expect(await groupsWhere(`${OLD}${query}`)).toHaveLength(found);
    });

    it('come in pages that follow each other, and a page of one list is none of another', async () => {
      const first = await get(`/errorGroups?${OLD}&$top=3&$orderby=lastOccurrence asc`);
      expect(first.errorGroups).toHaveLength(3);
      const second = await bench.call('GET', first.nextLink, { token: null, headers: { 'x-api-token': admin.token } });
      expect(second.body.errorGroups).toHaveLength(1);
      expect(second.body.nextLink).toBeUndefined();
      const token = new URL(first.nextLink).searchParams.get('$skiptoken');
      const wrong = await admin.call('GET', `${AT}/errorGroups?${OLD}&$skiptoken=${token}`);
      expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } });
    });

    it.each([
      ['', 'start'],
      ['start=yesterday', 'start'],
      [`${OLD}&end=1999-01-01T00:00:00Z`, 'end'],
      [`${OLD}&$top=2001`, '$top'],
      [`${OLD}&$orderby=name`, '$orderby'],
      [`${OLD}&errorType=some`, 'errorType'],
    ])('are not listed for %s', async (query, field) => {
      const reply = await admin.call('GET', `${AT}/errorGroups?${query}`);
      expect(reply.status).toBe(400);
      expect(reply.body.error.message).toContain(field);
    });

    it('are searched by words, by filters and both', async () => {
      const search = async (query: string) => (await get(`/errorGroups/search?${query}`)).errorGroups;
      expect(await search('q=SHIP')).toMatchObject([{ exceptionMethod: 'ship' }]);
      expect(await search('q=cart pay')).toHaveLength(3);
      expect(await search("filter=exceptionMethod eq 'pay' and errorType eq 'unhandledError'&q=cart")).toHaveLength(2);
      expect(await search('filter=count gt 1')).toMatchObject([{ count: 2 }]);
      expect(await search("filter=contains(exceptionMessage,'ship')")).toHaveLength(1);
      expect(await search('$top=1&$skip=3&sort=exceptionMethod&order=asc')).toMatchObject([
        { exceptionMethod: 'ship' },
      ]);
      expect((await get('/errorGroups/search?$top=2')).hasMoreResults).toBe(true);
      const wrong = await admin.call('GET', `${AT}/errorGroups/search?filter=colour eq 'red'`);
      expect(wrong).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('colour') } } });
    });

    it('are changed by developers, to a state there is', async () => {
      const [{ errorGroupId }] = await groupsWhere(`${OLD}&errorType=handledError`);
      const path = `${AT}/errorGroups/${errorGroupId}`;
      expect((await admin.call('PATCH', path, { state: 'gone' })).status).toBe(400);
      expect((await admin.call('PATCH', path, { annotation: 'a' })).status).toBe(400);
      expect((await admin.call('PATCH', path, { state: 'ignored', annotation: 'noise' })).body.annotation).toBe(
        'noise',
      );
      expect((await admin.call('PATCH', path, { state: 'open' })).body).toMatchObject({
        state: 'open',
        annotation: 'noise',
      });
      expect((await admin.call('PATCH', path, { state: 'open', annotation: '' })).body.annotation).toBeUndefined();
      const viewer = await person(bench, 'admin', 'viewer');
      expect((await viewer.call('PATCH', path, { state: 'closed' })).status).toBe(403);
      expect((await viewer.call('GET', path)).status).toBe(200);
    });

    it('of one app are not there for another', async () => {
      const [{ errorGroupId }] = await groupsWhere(OLD);
      const reply = await admin.call('GET', `/apps/admin/Other/errors/errorGroups/${errorGroupId}`);
      expect(reply).toMatchObject({ status: 404, body: { error: { code: 'NotFound' } } });
    });
  });

  describe('a group', () => {
    let path = '';
    beforeAll(async () => {
      path = `/errorGroups/${(await groupsWhere(`${OLD}&$top=1`))[0].errorGroupId}`;
    });

    it('has its newest report, and all of them a page at a time', async () => {
      const latest = await get(`${path}/errors/latest`);
      expect(latest.errorId).not.toBe(crashed);
      const first = await get(`${path}/errors?${OLD}&$top=1`);
      expect(first.errors[0].errorId).toBe(latest.errorId);
      const rest = await bench.call('GET', first.nextLink, { token: null, headers: { 'x-api-token': admin.token } });
      expect(rest.body.errors).toMatchObject([{ errorId: crashed, hasAttachments: true, language: 'en_US' }]);
      expect((await get(`${path}/errors?${OLD}&model=Fold`)).errors).toEqual([]);
      expect((await get(`${path}/errors?${OLD}&os=13`)).errors).toHaveLength(2);
    });

    it('shows the systems, models and days on which it occurred', async () => {
      expect(await get(`${path}/operatingSystems`)).toEqual({
        errorCount: 2,
        operatingSystems: [{ operatingSystemName: 'Android 13', errorCount: 2 }],
      });
      expect((await get(`${path}/models`)).models).toEqual([
        { modelName: 'Pixel 6', modelCode: 'Pixel 6', errorCount: 2 },
      ]);
      const days = await get(`${path}/errorCountsPerDay?start=${dayBefore(today)}T00:00:00Z`);
      expect(days).toEqual({
        count: 2,
        errors: [
          { datetime: `${dayBefore(today)}T00:00:00.000Z`, count: 1 },
          { datetime: `${today}T00:00:00.000Z`, count: 1 },
        ],
      });
    });

    it('shows how many devices of its build were not affected', async () => {
      const free = await get(`${path}/errorfreeDevicePercentages?start=${today}T00:00:00Z`);
      expect(free).toEqual({
        averagePercentage: 50,
        dailyPercentages: [{ datetime: `${today}T00:00:00.000Z`, percentage: 50 }],
      });
    });

    it('has reports that can be downloaded, by their own address too, for an hour', async () => {
      const json = await admin.call('GET', `${AT}${path}/errors/${crashed}/download`);
      expect(JSON.parse(json.text)).toMatchObject({ type: 'managedError', id: crashed });
      const text = await admin.call('GET', `${AT}${path}/errors/${crashed}/download?format=txt`);
      expect(text.headers.get('content-type')).toContain('text/plain');
      expect(text.text).toContain(
        'java.lang.NullPointerException: java.lang.NullPointerException in pay\n    at java.util.List.get',
      );
      expect((await admin.call('GET', `${AT}${path}/errors/${crashed}/download?format=pdf`)).status).toBe(400);
      const { uri } = await get(`${path}/errors/${crashed}/location`);
      expect(await (await fetch(uri)).json()).toMatchObject({ id: crashed });
      const broken = await fetch(uri.replace('?', 'x?'));
      expect(broken.status).toBe(403);
    });

    it.each(['errors/none', 'errors/none/stacktrace', 'errors/none/download'])('has no %s', async (rest) => {
      expect((await admin.call('GET', `${AT}${path}/${rest}`)).status).toBe(404);
    });
  });

  it('counts of the app are by day, kind and build', async () => {
    const from = `start=${dayBefore(today)}T00:00:00Z`;
    const count = async (query: string) => (await get(`/errorCountsPerDay?${from}${query}`)).count;
    expect([await count(''), await count('&errorType=handledError'), await count('&errorType=unhandledError')]).toEqual(
      [1, 1, 4],
    );
    expect(await count('&errorType=unhandledError&version=1.10')).toBe(1);
    expect((await admin.call('GET', `${AT}/errorCountsPerDay?${OLD}`)).status).toBe(400);
  });

  it('devices without a crash are counted among all active ones, per version and per build', async () => {
    const free = async (query: string) =>
      (await get(`/errorfreeDevicePercentages?start=${today}T00:00:00Z&errorType=unhandledError${query}`))
        .averagePercentage;
    expect(await free('')).toBeCloseTo(100 / 3);
    expect(await free('&versions=1.10')).toBe(50);
    expect(await free('&versions=1.9|1.10')).toBeCloseTo(100 / 3);
    expect(await free('&app_build=8')).toBe(100);
    const handled = await get(`/errorfreeDevicePercentages?start=${today}T00:00:00Z`);
    expect(handled.averagePercentage).toBeCloseTo(200 / 3);
  });

  it('versions and builds that have reported something are listed in their order', async () => {
    expect(await get(`/available_versions?${OLD}&$inlinecount=allpages&$top=1`)).toEqual({
      versions: ['1.9'],
      total_count: 2,
    });
    expect((await get(`/available_versions?${OLD}`)).versions).toEqual(['1.9', '1.10']);
    expect((await get(`/available_versions?${OLD}&$filter=startswith(version,'1.1')`)).versions).toEqual(['1.10']);
    expect(await get(`/availableAppBuilds?${OLD}&version=1.9`)).toEqual({ appBuilds: ['7'] });
    expect((await admin.call('GET', `${AT}/availableAppBuilds?${OLD}`)).status).toBe(400);
  });

  it('errors are searched by what they tell of the device and the user', async () => {
    expect((await get('/search?q=ada')).errors).toMatchObject([{ errorId: crashed }]);
    expect((await get("/search?filter=userId eq 'Ada'")).errors).toHaveLength(1);
    expect((await get("/search?filter=deviceName eq 'Fold' and osVersion eq '14'")).errors).toHaveLength(1);
    expect((await get(`/search?filter=timestamp lt ${today}T00:00:00Z&sort=osVersion`)).errors).toHaveLength(1);
    expect((await get('/search?$top=2')).hasMoreResults).toBe(true);
  });

  it('the generated client reads groups, errors and stack traces', async () => {
    type Group = Readonly<Record<string, (...args: unknown[]) => Promise<Reply['body']>>>;
    const { errors, crashes } = generatedClient(bench, admin.token) as Readonly<Record<'errors' | 'crashes', Group>>;
    const call = async (group: Group, name: string, ...args: unknown[]): Promise<Reply['body']> =>
      group[name]?.(...args);
    const start = new Date('2000-01-01');
    const { errorGroups } = await call(errors, 'groupList', start, 'admin', 'Shop', { errorType: 'unhandledError' });
    expect(errorGroups[0]).toMatchObject({ count: 2, lastOccurrence: expect.any(Date), state: 'open' });
    const { errorGroupId } = errorGroups[0];
    expect((await call(errors, 'listForGroup', errorGroupId, start, 'admin', 'Shop')).errors).toHaveLength(2);
    const trace = await call(errors, 'errorStackTrace', errorGroupId, crashed, 'admin', 'Shop');
    expect(trace.exception.frames[1]).toMatchObject({ className: 'com.shop.Cart', method: 'pay', appCode: true });
    const crash = await call(crashes, 'get', errorGroupId, crashed, 'admin', 'Shop', { includeDetails: true });
    expect(crash).toMatchObject({ crashId: crashed, details: { rooted: false } });
    expect(await call(errors, 'putRetentionSettings', 'admin', 'Shop', 90)).toEqual({ retentionInDays: 90 });
  });

  it('properties of an error are at most twenty, each of at most 125 characters', async () => {
    const properties = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`p${index}`, 'x'.repeat(200)]));
    const error = handledError(properties, { exception: thrown('Wordy', 'talk') }) as { id: string };
    await post(bench, app, randomUUID(), [error]);
    const [{ errorGroupId }] = (await get("/errorGroups/search?filter=exceptionType eq 'Wordy'")).errorGroups;
    const detail = await get(`/errorGroups/${errorGroupId}/errors/${error.id}`);
    expect(Object.keys(detail.properties)).toHaveLength(20);
    expect(detail.properties.p0).toHaveLength(125);
    expect(await get(`/${error.id}/sessionLogs`)).toEqual({ exceeded_max_limit: false, logs: [] });
  });

  it.each([
    ['no exception', managedError({ exception: undefined })],
    ['an exception without a type', managedError({ exception: { message: 'x' } })],
    ['no id', { ...managedError(), id: undefined }],
    ['an id that is none', managedError({ id: '../../x' })],
    ['a native crash of nothing', appleError({ exceptionType: undefined, osExceptionType: undefined })],
    ['an attachment of nothing', errorAttachment('', 'x')],
    ['an attachment without data', errorAttachment(randomUUID(), 'x', { data: 5 })],
  ])('a report with %s is not taken', async (_, log) => {
    const reply = await post(bench, app, randomUUID(), [log]);
    expect(reply.body.validDiagnosticsIds ?? []).toEqual([]);
  });

  it('native crashes are grouped by their offset in the program, whatever its load address', async () => {
    const program = '/var/containers/Bundle/Application/Example.app/Example';
    const at = (base: number) =>
      appleError({
        threads: [{ id: 0, frames: [{ address: `0x${(base + 0x40).toString(16)}` }] }],
        binaries: [
          {
            id: 'AA',
            name: 'Example',
            path: program,
            startAddress: `0x${base.toString(16)}`,
            endAddress: `0x${(base + 0xff).toString(16)}`,
          },
        ],
        errorThreadId: 0,
      });
    const native = await makeApp(admin, 'Native', { os: 'iOS', platform: 'Objective-C-Swift' });
    await post(bench, native, randomUUID(), [at(0x1000), at(0x2000)]);
    const reply = await admin.call('GET', `/apps/admin/Native/errors/errorGroups?${OLD}`);
    expect(reply.body.errorGroups).toMatchObject([
      {
        count: 2,
        exceptionType: 'NSInvalidArgumentException',
        reasonFrames: [{ appCode: true, frameworkName: 'Example', osExceptionType: 'SIGABRT' }],
      },
    ]);
  });

  it('stack traces sent as text are parsed, and causes are shown with them', async () => {
    const apps = await makeApp(admin, 'Texts', { os: 'Windows', platform: 'WPF' });
    const trace =
      '   at System.Linq.Enumerable.First[T](IEnumerable`1 s)\r\n   at Shop.Cart.Pay(Int32 sum) in C:\\src\\Cart.cs:line 12\n';
    const cause = exception('Shop.Broke', 'no money', [frame('Shop.Purse', 'Open')]);
    await post(bench, apps, randomUUID(), [
      managedError({
        threads: [],
        exception: { type: 'System.Exception', stackTrace: trace, innerExceptions: [cause] },
      }),
    ]);
    const [group] = (await admin.call('GET', `/apps/admin/Texts/errors/errorGroups?${OLD}`)).body.errorGroups;
    expect(group).toMatchObject({
      exceptionClassName: 'Shop.Cart',
      exceptionMethod: 'Pay',
      exceptionFile: 'C:\\src\\Cart.cs',
      exceptionLine: '12',
    });
    const shown = await admin.call('GET', `/apps/admin/Texts/errors/errorGroups/${group.errorGroupId}/stacktrace`);
    expect(shown.body.threads).toMatchObject([{ title: 'Caused by: Shop.Broke: no money' }]);
    expect(shown.body.exception.frames).toHaveLength(2);
  });

  it('what an app has reported goes with the app', async () => {
    const gone = await makeApp(admin, 'Gone');
    const crash = managedError() as { id: string };
    await post(bench, gone, randomUUID(), [crash, errorAttachment(crash.id, 'x')]);
    const [{ errorGroupId }] = (await admin.call('GET', `/apps/admin/Gone/errors/errorGroups?${OLD}`)).body.errorGroups;
    const { uri } = (
      await admin.call('GET', `/apps/admin/Gone/errors/errorGroups/${errorGroupId}/errors/${crash.id}/location`)
    ).body;
    await admin.call('DELETE', '/apps/admin/Gone');
    await bench.jar.clock.advance('1m');
    expect((await fetch(uri)).status).toBe(404);
  });

  it('addresses of files expire', async () => {
    const [{ errorGroupId }] = await groupsWhere(OLD);
    const { errorId } = await get(`/errorGroups/${errorGroupId}/errors/latest`);
    const { uri } = await get(`/errorGroups/${errorGroupId}/errors/${errorId}/location`);
    await bench.jar.clock.advance('1h');
    expect((await fetch(uri)).status).toBe(403);
  });
});

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
