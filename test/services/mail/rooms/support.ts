import { expect } from 'vitest';
import type { Bench } from '../../../support/jars.ts';

export const ROOM_ID = '10000000-0000-4000-8000-00000000aa01';
export const ROOM = 'room4@vendor.example';

/** Registers a room in the same way as users of the jar do. */
export async function addRoom(
  bench: Bench,
  { id = ROOM_ID, username = ROOM, displayName = 'Room 4', attributes = {} } = {},
): Promise<void> {
  const body = { username, displayName, attributes: { room: true, ...attributes } };
  const { status } = await bench.call('PUT', `/_jar/users/${id}`, { body, token: bench.jar.adminKey });
  expect(status).toBeLessThan(300);
}
