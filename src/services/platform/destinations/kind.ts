import { ok } from '../../../kernel/http/index.ts';
import { isAdminOf } from '../access/standing.ts';
import { findObject } from '../engine/find.ts';
import { membersOf } from '../engine/json.ts';
import type { ObjectKind } from '../engine/kind.ts';
import { viewOf } from '../engine/list.ts';
import { kindOperations } from '../engine/wire.ts';
import { errors } from '../errors.ts';
import { callerIdentity, routeCode, workspaceIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { configView, sealConfig, typeOfConfig } from './config.ts';

/** Destinations for notifications of jobs and alerts. Administrators manage them; all users may refer to them. */
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
      // A change of the name only passes the stored config on.
      if (before && fields.config === before.fields.config) return undefined;
      const config = sealConfig(jar.vault, fields.config);
      if (before && typeOfConfig(config) !== typeOfConfig(membersOf(before.fields.config)))
        throw errors.INVALID_PARAMETER_VALUE({
          reason: 'The type of a notification destination cannot be changed.',
        });
      return { config };
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

const ofKind = kindOperations(DESTINATIONS, {
  of: 'Notification destinations',
  operations: 'notificationDestinations',
  create: { method: 'POST', path: PATH, needs: 'admin' },
  list: { method: 'GET', path: PATH, array: 'results' },
  update: { method: 'PATCH', path: `${PATH}/{id}`, needs: 'admin', nonEmpty: true },
  remove: { method: 'DELETE', path: `${PATH}/{id}`, needs: 'admin' },
});

/** Only administrators see which parts of the config are set. */
const get: Operation = {
  method: 'GET',
  path: `${PATH}/{id}`,
  operation: 'notificationDestinations_get',
  summary: 'Notification destinations: read one',
  code: routeCode(['id'], {
    async handle(call) {
      const found = await findObject(call, DESTINATIONS, call.params.id);
      const { config, ...view } = await viewOf(call, DESTINATIONS, found);
      return ok(isAdminOf(callerIdentity(call), workspaceIn(call)) ? { ...view, config } : view);
    },
  }),
};

/** Addresses of chat services are secrets. */
export const DESTINATION_OPERATIONS: readonly Operation[] = [...ofKind, get].map((row) => ({
  ...row,
  secretBodies: true,
}));
