import { membersOf } from '../engine/json.ts';
import type { ObjectKind } from '../engine/kind.ts';
import { kindOperations } from '../engine/wire.ts';
import type { Operation } from '../operation.ts';
import { configView, sealConfig, typeOfConfig } from './config.ts';

/** Where notifications of jobs and alerts can be sent. Administrators keep them; everybody may name one. */
export const DESTINATIONS: ObjectKind = {
  name: 'notification-destinations',
  title: 'Notification destination',
  scope: 'workspace',
  idField: 'id',
  nameField: 'display_name',
  fields: {
    display_name: { type: 'string', required: true, least: 1, most: 1000 },
    config: { type: 'object', required: true },
  },
  hooks: {
    async check(_tx, { jar }, { fields }, before) {
      // A change of the name alone carries the kept config on.
      if (before && fields.config === before.fields.config) return undefined;
      return { config: sealConfig(jar.vault, fields.config) };
    },
  },
  view: ({ id, fields }) => {
    const config = membersOf(fields.config);
    return {
      id,
      display_name: fields.display_name,
      destination_type: typeOfConfig(config),
      config: configView(config),
    };
  },
  listed: ({ id, fields }) => ({
    id,
    display_name: fields.display_name,
    destination_type: typeOfConfig(membersOf(fields.config)),
  }),
};

const PATH = '/notification-destinations';

export const DESTINATION_OPERATIONS: readonly Operation[] = kindOperations(DESTINATIONS, {
  of: 'Notification destinations',
  operations: 'notificationDestinations',
  create: { method: 'POST', path: PATH, needs: 'admin' },
  get: { method: 'GET', path: `${PATH}/{id}` },
  list: { method: 'GET', path: PATH, array: 'results' },
  update: { method: 'PATCH', path: `${PATH}/{id}`, needs: 'admin', nonEmpty: true },
  remove: { method: 'DELETE', path: `${PATH}/{id}`, needs: 'admin' },
});
