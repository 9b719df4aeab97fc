import { expect, it } from 'vitest';
import { onAnyStore } from '../../support/jars.ts';
import {
  type Ask,
  CONSUMER,
  giver,
  good,
  makeAccounts,
  PROVIDER,
  SHARE,
  SOURCE,
  shareContainer,
  TAKEN,
  TARGET,
  taker,
} from './support.ts';

const NOBODY = '99999999-9999-4999-8999-999999999999';
const blob = (more: object) => ({
  kind: 'Blob',
  properties: { ...SOURCE, containerName: 'data', filePath: 'a.txt', ...more },
});
const schedule = (more: object) => ({
  kind: 'ScheduleBased',
  properties: { recurrenceInterval: 'Day', synchronizationTime: '2026-03-01T06:00:00Z', ...more },
});

type Case = readonly [
  what: string,
  method: string,
  path: string,
  body: unknown,
  status: number,
  code: string,
  target?: string,
];

const OF_PROVIDERS: readonly Case[] = [
  [
    'an account without identity',
    'PUT',
    `${PROVIDER}2`,
    { location: 'eastus' },
    400,
    'IdentityRequired',
    'identity.type',
  ],
  [
    'an account with another identity',
    'PUT',
    `${PROVIDER}2`,
    { location: 'eastus', identity: { type: 'None' } },
    400,
    'IdentityRequired',
  ],
  [
    'an account without location',
    'PUT',
    `${PROVIDER}2`,
    { identity: { type: 'SystemAssigned' } },
    400,
    'LocationRequired',
  ],
  [
    'an account with a bad name',
    'PUT',
    `${PROVIDER}_2`,
    { location: 'eastus', identity: { type: 'SystemAssigned' } },
    400,
    'InvalidName',
  ],
  ['a share of an account that is not there', 'PUT', `${PROVIDER}2/shares/s`, {}, 404, 'ResourceNotFound'],
  [
    'a share of an unknown kind',
    'PUT',
    `${PROVIDER}/shares/s`,
    { properties: { shareKind: 'Live' } },
    400,
    'InvalidProperty',
    'properties.shareKind',
  ],
  ['a share that changes its kind', 'PUT', SHARE, { properties: { shareKind: 'InPlace' } }, 400, 'ImmutableProperty'],
  ['a share with a name of an address', 'PUT', `${PROVIDER}/shares/a%3Fb`, {}, 400, 'InvalidName', 'name'],
  ['a share with a name that is too long', 'PUT', `${PROVIDER}/shares/${'s'.repeat(91)}`, {}, 400, 'InvalidName'],
  ['a share that is not there', 'GET', `${PROVIDER}/shares/none`, undefined, 404, 'ShareNotFound'],
  ['a data set without kind', 'PUT', `${SHARE}/dataSets/d`, { properties: {} }, 400, 'InvalidProperty', 'kind'],
  [
    'a data set of an unknown kind',
    'PUT',
    `${SHARE}/dataSets/d`,
    { kind: 'Paper', properties: {} },
    400,
    'InvalidProperty',
    'kind',
  ],
  [
    'a data set of a kind of another version',
    'PUT',
    `${SHARE}/dataSets/d`,
    { kind: 'BlobStorageAccount', properties: {} },
    400,
    'InvalidProperty',
    'kind',
  ],
  [
    'a data set without its properties',
    'PUT',
    `${SHARE}/dataSets/d`,
    { kind: 'Blob' },
    400,
    'InvalidProperty',
    'properties.containerName',
  ],
  [
    'a data set outside of its container',
    'PUT',
    `${SHARE}/dataSets/d`,
    blob({ filePath: '../a' }),
    400,
    'InvalidProperty',
    'properties.filePath',
  ],
  [
    'a data set with an empty part in its path',
    'PUT',
    `${SHARE}/dataSets/d`,
    blob({ filePath: 'a//b' }),
    400,
    'InvalidProperty',
  ],
  [
    'a data set with a backslash in its path',
    'PUT',
    `${SHARE}/dataSets/d`,
    blob({ filePath: 'a\\b' }),
    400,
    'InvalidProperty',
  ],
  [
    'a data set in a container that cannot be',
    'PUT',
    `${SHARE}/dataSets/d`,
    blob({ containerName: 'No_Way' }),
    400,
    'InvalidProperty',
    'properties.containerName',
  ],
  [
    'a data set in an account that cannot be',
    'PUT',
    `${SHARE}/dataSets/d`,
    blob({ storageAccountName: '../etc' }),
    400,
    'InvalidProperty',
  ],
  [
    'a data set in a subscription of nobody',
    'PUT',
    `${SHARE}/dataSets/d`,
    blob({ subscriptionId: NOBODY }),
    400,
    'InvalidStorageAccount',
  ],
  ['a data set that moves', 'PUT', `${SHARE}/dataSets/all`, blob({}), 409, 'DataSetExists'],
  ['a data set that is not there', 'GET', `${SHARE}/dataSets/none`, undefined, 404, 'DataSetNotFound'],
  [
    'a schedule of another kind',
    'PUT',
    `${SHARE}/synchronizationSettings/s`,
    { kind: 'Never' },
    400,
    'InvalidProperty',
    'kind',
  ],
  [
    'a schedule without recurrence',
    'PUT',
    `${SHARE}/synchronizationSettings/s`,
    schedule({ recurrenceInterval: null }),
    400,
    'InvalidProperty',
    'properties.recurrenceInterval',
  ],
  [
    'a schedule of every minute',
    'PUT',
    `${SHARE}/synchronizationSettings/s`,
    schedule({ recurrenceInterval: 'Minute' }),
    400,
    'InvalidProperty',
  ],
  [
    'a schedule without time',
    'PUT',
    `${SHARE}/synchronizationSettings/s`,
    schedule({ synchronizationTime: 'noon' }),
    400,
    'InvalidProperty',
    'properties.synchronizationTime',
  ],
  [
    'a schedule that is not there',
    'GET',
    `${SHARE}/synchronizationSettings/none`,
    undefined,
    404,
    'SynchronizationSettingNotFound',
  ],
  ['an invitation to nobody', 'PUT', `${SHARE}/invitations/i`, { properties: {} }, 400, 'InvalidProperty'],
  [
    'an invitation to no address',
    'PUT',
    `${SHARE}/invitations/i`,
    { properties: { targetEmail: 'otto' } },
    400,
    'InvalidProperty',
    'properties.targetEmail',
  ],
  [
    'an invitation to two',
    'PUT',
    `${SHARE}/invitations/i`,
    { properties: { targetEmail: 'a@b.example', targetActiveDirectoryId: NOBODY } },
    400,
    'InvalidProperty',
  ],
  [
    'an invitation to half an id',
    'PUT',
    `${SHARE}/invitations/i`,
    { properties: { targetActiveDirectoryId: NOBODY } },
    400,
    'InvalidProperty',
    'properties.targetObjectId',
  ],
  [
    'an invitation that has expired',
    'PUT',
    `${SHARE}/invitations/i`,
    { properties: { targetEmail: 'a@b.example', expirationDate: '2020-01-01T00:00:00Z' } },
    400,
    'InvalidProperty',
    'properties.expirationDate',
  ],
  [
    'an invitation to somebody else under the same name',
    'PUT',
    `${SHARE}/invitations/otto`,
    { properties: { targetEmail: 'a@b.example' } },
    400,
    'ImmutableProperty',
  ],
  ['an invitation that is not there', 'GET', `${SHARE}/invitations/none`, undefined, 404, 'InvitationNotFound'],
  [
    'a consumer that is not there',
    'GET',
    `${SHARE}/providerShareSubscriptions/${NOBODY}`,
    undefined,
    404,
    'ShareSubscriptionNotFound',
  ],
  [
    'the revocation of a consumer that is not there',
    'POST',
    `${SHARE}/providerShareSubscriptions/${NOBODY}/revoke`,
    undefined,
    404,
    'ShareSubscriptionNotFound',
  ],
  [
    'details of a run that is not there',
    'POST',
    `${SHARE}/listSynchronizationDetails`,
    { synchronizationId: NOBODY },
    404,
    'SynchronizationNotFound',
  ],
  ['details of no run', 'POST', `${SHARE}/listSynchronizationDetails`, {}, 400, 'InvalidProperty', 'synchronizationId'],
  ['a body that is no object', 'PUT', `${SHARE}/dataSets/d`, '[]', 400, 'InvalidRequestContent'],
];

const OF_CONSUMERS: readonly Case[] = [
  [
    'a subscription without invitation',
    'PUT',
    `${CONSUMER}/shareSubscriptions/s`,
    { properties: { sourceShareLocation: 'eastus' } },
    400,
    'InvalidProperty',
    'properties.invitationId',
  ],
  [
    'a subscription by an invitation of nobody',
    'PUT',
    `${CONSUMER}/shareSubscriptions/s`,
    { properties: { invitationId: NOBODY, sourceShareLocation: 'eastus' } },
    404,
    'InvitationNotFound',
  ],
  [
    'a subscription by no id',
    'PUT',
    `${CONSUMER}/shareSubscriptions/s`,
    { properties: { invitationId: 'x', sourceShareLocation: 'eastus' } },
    404,
    'InvitationNotFound',
  ],
  [
    'a subscription that is not there',
    'GET',
    `${CONSUMER}/shareSubscriptions/none`,
    undefined,
    404,
    'ShareSubscriptionNotFound',
  ],
  [
    'a mapping without data set',
    'PUT',
    `${TAKEN}/dataSetMappings/m`,
    { kind: 'Container', properties: { ...TARGET, containerName: 'copies' } },
    400,
    'InvalidProperty',
    'properties.dataSetId',
  ],
  [
    'a mapping of a data set of another share',
    'PUT',
    `${TAKEN}/dataSetMappings/m`,
    { kind: 'Container', properties: { ...TARGET, containerName: 'copies', dataSetId: NOBODY } },
    400,
    'InvalidProperty',
    'properties.dataSetId',
  ],
  ['a mapping that is not there', 'GET', `${TAKEN}/dataSetMappings/none`, undefined, 404, 'DataSetMappingNotFound'],
  [
    'a trigger that the source does not offer',
    'PUT',
    `${TAKEN}/triggers/t`,
    schedule({}),
    400,
    'ScheduleNotOffered',
    'properties.synchronizationTime',
  ],
  [
    'a trigger with another mode',
    'PUT',
    `${TAKEN}/triggers/t`,
    schedule({ synchronizationMode: 'Half' }),
    400,
    'InvalidProperty',
    'properties.synchronizationMode',
  ],
  ['a trigger that is not there', 'GET', `${TAKEN}/triggers/none`, undefined, 404, 'TriggerNotFound'],
  [
    'a run in another mode',
    'POST',
    `${TAKEN}/synchronize`,
    { synchronizationMode: 'Half' },
    400,
    'InvalidProperty',
    'synchronizationMode',
  ],
  [
    'the end of a run that is not there',
    'POST',
    `${TAKEN}/cancelSynchronization`,
    { synchronizationId: NOBODY },
    404,
    'SynchronizationNotFound',
  ],
  [
    'the status of a run that is not there',
    'GET',
    `${TAKEN}/synchronizationOperationResults/${NOBODY}`,
    undefined,
    404,
    'SynchronizationNotFound',
  ],
  [
    'an answer to an invitation of nobody',
    'POST',
    '/providers/Vendor.DataShare/locations/eastus/rejectInvitation',
    { properties: { invitationId: NOBODY } },
    404,
    'InvitationNotFound',
  ],
  [
    'the activation of an address that was not registered',
    'POST',
    '/providers/Vendor.DataShare/locations/eastus/activateEmail',
    { activationCode: '1' },
    404,
    'EmailRegistrationNotFound',
  ],
];

onAnyStore('what data sharing refuses', (bench) => {
  let give: Ask;
  let take: Ask;
  let shared: { dataSetId: string; invitationId: string };

  const refuses = async (ask: Ask, [, method, path, body, status, code, target]: Case): Promise<void> => {
    const reply = await ask(method, path, body);
    expect(reply).toMatchObject({ status, body: { error: { code, ...(target !== undefined && { target }) } } });
    expect(reply.body.error.message).not.toMatch(/undefined|\{/);
  };

  it('begins with a share that was accepted and mapped', async () => {
    [give, take] = [await giver(bench), await taker(bench)];
    await makeAccounts(give, take);
    shared = await shareContainer(give, take);
  });

  it.each(OF_PROVIDERS.map((each) => [each[0], each] as const))('refuses %s', (_, each) => refuses(give, each));
  it.each(OF_CONSUMERS.map((each) => [each[0], each] as const))('refuses %s', (_, each) => refuses(take, each));

  it('changes nothing by a refused request', async () => {
    const { value } = await good(give('GET', `${SHARE}/dataSets`));
    expect(value.map(({ name }: { name: string }) => name)).toEqual(['all']);
    expect((await good(give('GET', `${SHARE}/invitations`))).value).toHaveLength(1);
    expect((await good(take('GET', `${CONSUMER}/shareSubscriptions`))).value).toHaveLength(1);
  });

  it('refuses a second mapping of a data set', async () => {
    const properties = { ...TARGET, containerName: 'more', dataSetId: shared.dataSetId };
    const second = await take('PUT', `${TAKEN}/dataSetMappings/second`, { kind: 'Container', properties });
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'DataSetMapped' } } });
  });

  it.each(['Blob', 'AdlsGen2File'])('refuses to map a container to a %s', async (kind) => {
    const places = { containerName: 'copies', fileSystem: 'copies', filePath: 'x' };
    const properties = { ...TARGET, ...places, dataSetId: shared.dataSetId };
    const refused = await take('PUT', `${TAKEN}/dataSetMappings/other`, { kind, properties });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'InvalidDataSetMapping', target: 'kind' } } });
  });

  it('refuses a second schedule of a share by its quota', async () => {
    await good(give('PUT', `${SHARE}/synchronizationSettings/one`, schedule({})), 201);
    const second = await give('PUT', `${SHARE}/synchronizationSettings/two`, schedule({}));
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'QuotaExceeded' } } });
    await good(give('PUT', `${SHARE}/synchronizationSettings/ONE`, schedule({})), 200);
  });

  it('refuses an invitation that was answered, to the invited and to everybody else', async () => {
    const wish = { properties: { invitationId: shared.invitationId, sourceShareLocation: 'eastus' } };
    const again = await take('PUT', `${CONSUMER}/shareSubscriptions/again`, wish);
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'InvitationNotPending' } } });
    const byOthers = await give('PUT', `${PROVIDER}/shareSubscriptions/again`, wish);
    expect(byOthers).toMatchObject({ status: 404, body: { error: { code: 'InvitationNotFound' } } });
    await good(take('PUT', TAKEN, wish), 200);
    const moved = { properties: { ...wish.properties, sourceShareLocation: 'westus' } };
    expect(await take('PUT', TAKEN, moved)).toMatchObject({
      status: 400,
      body: { error: { code: 'InvalidProperty' } },
    });
  });

  it('refuses the wrong region of a source', async () => {
    const { properties } = await good(
      give('PUT', `${SHARE}/invitations/second`, { properties: { targetEmail: 'other@other.example' } }),
    );
    const wish = { properties: { invitationId: properties.invitationId, sourceShareLocation: 'westus' } };
    const refused = await take('PUT', `${CONSUMER}/shareSubscriptions/second`, wish);
    expect(refused).toMatchObject({ status: 400, body: { error: { target: 'properties.sourceShareLocation' } } });
  });

  it('lets readers read, including the listing actions', async () => {
    const reader = await bench.jar.token({ user: 'no-job-queue' });
    const ask = (method: string, path: string, body?: unknown) =>
      bench.call(method, `${path}?api-version=2021-08-01`, { token: reader, ...(body !== undefined && { body }) });
    expect((await ask('GET', SHARE)).status).toBe(200);
    expect((await ask('POST', `${SHARE}/listSynchronizations`)).status).toBe(200);
    expect((await ask('PUT', SHARE, {})).status).toBe(403);
    expect((await ask('DELETE', SHARE)).status).toBe(403);
  });

  it('answers 204 when deleting a missing resource', async () => {
    for (const path of [
      `${PROVIDER}9`,
      `${PROVIDER}/shares/none`,
      `${SHARE}/dataSets/none`,
      `${SHARE}/invitations/none`,
    ])
      expect((await give('DELETE', path)).status).toBe(204);
    for (const path of [`${TAKEN}9`, `${TAKEN}9/dataSetMappings/m`, `${TAKEN}/triggers/none`])
      expect((await take('DELETE', path)).status).toBe(204);
  });
});
