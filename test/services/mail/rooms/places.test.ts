import '@pnp/graph/places/index.js';
import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';
import { pnpClient } from '../pnp-client.ts';
import { addRoom, ROOM, ROOM_ID } from './support.ts';

const SMALL = { id: '10000000-0000-4000-8000-00000000aa02', username: 'small@vendor.example', displayName: 'Small' };

onAnyStore('rooms of a tenant', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    await addRoom(bench, { attributes: { capacity: '12', building: 'West' } });
    await addRoom(bench, SMALL);
    client = await graphClient(bench);
  });

  it('are listed as places, by their properties too', async () => {
    for (const version of ['v1.0', 'beta']) {
      const all = await client.api('/places/microsoft.graph.room').version(version).get();
      expect(all['@odata.context']).toMatch(/\/\$metadata#places\/microsoft\.graph\.room$/);
      expect(all.value).toMatchObject([
        {
          id: ROOM_ID,
          emailAddress: ROOM,
          displayName: 'Room 4',
          capacity: 12,
          building: 'West',
          bookingType: 'standard',
        },
        { emailAddress: 'small@vendor.example', capacity: null, building: null },
      ]);
    }
    const list = client.api('/places/microsoft.graph.room');
    expect((await list.filter('capacity ge 10').select('displayName').get()).value).toMatchObject([
      { displayName: 'Room 4' },
    ]);
    const page = await client.api('/places/microsoft.graph.room').top(1).count(true).get();
    expect([page.value.length, page['@odata.count']]).toEqual([1, 2]);
    const next = await client.api(page['@odata.nextLink']).get();
    expect(next.value).toMatchObject([{ displayName: 'Small' }]);
  });

  it('are found one by one, by id and by address', async () => {
    for (const path of [`/places/${ROOM_ID}`, `/places/${ROOM}`, `/places('${ROOM}')/microsoft.graph.room`])
      expect(await client.api(path).get(), path).toMatchObject({ displayName: 'Room 4' });
    for (const path of ['/places/admin@vendor.example', '/places/nobody@vendor.example'])
      await expect(client.api(path).get(), path).rejects.toMatchObject({ statusCode: 404 });
    await expect(client.api('/places/microsoft.graph.roomList').get()).rejects.toMatchObject({ statusCode: 400 });
    const { responses } = await client.api('/$batch').post({
      requests: [{ id: '1', method: 'GET', url: `/places/${ROOM_ID}` }],
    });
    expect(responses).toMatchObject([{ status: 200, body: { emailAddress: ROOM } }]);
  });

  it('are read by @pnp/graph unchanged', async () => {
    const graph = await pnpClient(bench);
    expect(await graph.places.rooms()).toMatchObject([{ displayName: 'Room 4' }, { displayName: 'Small' }]);
    expect(await graph.places.getById(ROOM_ID)()).toMatchObject({ emailAddress: ROOM });
  });

  it('are found by findRooms of the beta version', async () => {
    const found = await client.api('/me/findRooms').version('beta').get();
    expect(found.value).toEqual([
      { name: 'Room 4', address: ROOM },
      { name: 'Small', address: 'small@vendor.example' },
    ]);
    await expect(client.api("/me/findRooms(RoomList='b1@vendor.example')").version('beta').get()).rejects.toMatchObject(
      { statusCode: 400 },
    );
    await expect(client.api('/me/findRooms').get()).rejects.toMatchObject({ statusCode: 400 });
  });

  it('are those of the own tenant, for tokens with a permission', async () => {
    const other = await graphClient(bench, { user: 'other' });
    expect((await other.api('/places/microsoft.graph.room').get()).value).toEqual([]);
    expect(
      (await other.api("/places/microsoft.graph.room?$filter=displayName eq 'x' or isRoom eq true").get()).value,
    ).toEqual([]);
    await expect(other.api(`/places/${ROOM_ID}`).get()).rejects.toMatchObject({ statusCode: 404 });
    expect((await other.api('/me/findRooms').version('beta').get()).value).toEqual([]);
    const without = await graphClient(bench, { scopes: ['Calendars.Read'] });
    await expect(without.api('/places/microsoft.graph.room').get()).rejects.toMatchObject({ statusCode: 403 });
    const reader = await graphClient(bench, { scopes: ['Place.Read.All'] });
    expect((await reader.api('/places/microsoft.graph.room').get()).value).toHaveLength(2);
  });
});
