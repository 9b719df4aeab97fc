import { plainUrl } from '../../../kernel/delivery/index.ts';
import {
  applySelect,
  checkSelect,
  type EntityShape,
  entityShape,
  type PropertyShape,
  parseSelect,
  type QueryOptions,
} from '../../../kernel/odata/index.ts';
import type { Stored } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { wireEtag } from '../api/etag.ts';
import type { Session } from '../api/session.ts';
import { type Subscription, subscriptions } from './collection.ts';
import type { OpenedSecrets } from './secrets.ts';

interface Property {
  readonly name: string;
  readonly type: PropertyShape['type'];
  /** Column in the store; absent for sealed properties, which are compared in memory. */
  readonly field?: string;
  of(subscription: Subscription, secrets: Pick<OpenedSecrets, 'readable'>): string | number;
}

type Viewing = Pick<Session, 'api' | 'jar' | 'isReader'>;

/** Filters and orders compare the same values, so that a reader cannot guess a secret character by character. */
function visibleSecrets({ jar: { secrets }, isReader }: Viewing): Pick<OpenedSecrets, 'readable'> {
  if (!isReader) return secrets;
  return {
    readable(subscription) {
      const opened = secrets.readable(subscription);
      return opened && { notificationUrl: plainUrl(opened.notificationUrl), clientState: '' };
    },
  };
}

const EVERYWHERE: readonly Property[] = [
  { name: 'subscriptionId', type: 'Edm.String', field: 'subscriptionId', of: (it) => it.subscriptionId },
  {
    name: 'notificationUrl',
    type: 'Edm.String',
    of: (it, secrets) => secrets.readable(it)?.notificationUrl ?? it.shownUrl,
  },
  { name: 'resource', type: 'Edm.String', field: 'resource', of: (it) => it.resource },
  { name: 'userId', type: 'Edm.Guid', field: 'user', of: (it) => it.userId },
  { name: 'lastModifiedDateTime', type: 'Edm.DateTimeOffset', field: 'modified', of: (it) => isoTime(it.modifiedAt) },
  { name: 'clientState', type: 'Edm.String', of: (it, secrets) => secrets.readable(it)?.clientState ?? '' },
  { name: 'expirationDateTime', type: 'Edm.DateTimeOffset', field: 'expires', of: (it) => isoTime(it.expiresAt) },
];

/** Shown by all APIs but v1.0. */
const LATER: readonly Property[] = [
  { name: 'timestamp', type: 'Edm.Int64', field: 'modified', of: (it) => it.modifiedAt },
  { name: 'systemCreatedAt', type: 'Edm.DateTimeOffset', field: 'created', of: (it) => isoTime(it.createdAt) },
  { name: 'systemCreatedBy', type: 'Edm.Guid', field: 'user', of: (it) => it.userId },
  { name: 'systemModifiedAt', type: 'Edm.DateTimeOffset', field: 'modified', of: (it) => isoTime(it.modifiedAt) },
  { name: 'systemModifiedBy', type: 'Edm.Guid', field: 'modifiedBy', of: (it) => it.modifiedBy },
];

const FIRST_VERSION = 'v1.0';

const propertiesOf = ({ api }: Pick<Session, 'api'>): readonly Property[] =>
  api.route.toLowerCase() === FIRST_VERSION ? EVERYWHERE : [...EVERYWHERE, ...LATER];

export type View = Record<string, unknown>;

export function viewOf(session: Viewing, { etag, value }: Stored<Subscription>): View {
  const secrets = visibleSecrets(session);
  const view: View = { '@odata.etag': wireEtag(etag) };
  for (const { name, of } of propertiesOf(session)) view[name] = of(value, secrets);
  return view;
}

/** Properties that `$filter`, `$orderby` and `$select` can name. */
export function shapeOf(session: Viewing): EntityShape<Subscription> {
  const secrets = visibleSecrets(session);
  return entityShape<Subscription>({
    name: 'subscription',
    collection: subscriptions,
    properties: Object.fromEntries(
      propertiesOf(session).map(({ name, type, field, of }) => [
        name,
        field === undefined ? { type, read: (it: Subscription) => of(it, secrets) } : { type, field },
      ]),
    ),
    scan: 'bounded',
  });
}

/** Reads `$select`, so that a mistake in it is found before any change; returns a function that shows subscriptions. */
export function presenter(session: Viewing, { select }: QueryOptions) {
  const selected = select === undefined ? undefined : parseSelect(select);
  if (selected && select !== undefined) checkSelect(shapeOf(session), selected, '$select', select);
  return (stored: Stored<Subscription>): Readonly<View> => {
    const view = viewOf(session, stored);
    return selected ? applySelect(view, selected) : view;
  };
}
