import { type AnyArmCode, armRouteOf, withPrefix } from '../../../kernel/arm/index.ts';
import type { Method, Route } from '../../../kernel/http/index.ts';
import { eventErrors } from '../errors.ts';
import { armCode } from '../jar.ts';
import { NAMESPACE } from '../versions.ts';

/** The jar does not implement namespaces with pull delivery and MQTT: every route refuses with one message that names the alternatives. */

const TYPE = `${NAMESPACE}/namespaces`;
const REASON =
  'namespaces with pull delivery and MQTT are not supported. Topics, domains and partner topics deliver by push.';

const SUBSCRIPTION = '/subscriptions/{subscriptionId}';
const GROUP = `${SUBSCRIPTION}/resourceGroups/{resourceGroupName}`;
const ONE = `${GROUP}/providers/${TYPE}/{namespaceName}`;

/** Child types of a namespace, with the actions of each. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  caCertificates: [],
  clientGroups: [],
  clients: [],
  permissionBindings: [],
  topicSpaces: [],
  topics: ['listKeys', 'regenerateKey'],
  'topics/{topicName}/eventSubscriptions': ['getDeliveryAttributes', 'getFullUrl'],
};

const VERBS: readonly (readonly [Method, verb: string, permission: string])[] = [
  ['GET', 'Get', 'read'],
  ['PUT', 'CreateOrUpdate', 'write'],
  ['PATCH', 'Update', 'write'],
  ['DELETE', 'Delete', 'delete'],
];

const operationOf = (path: string): string =>
  path
    .split('/')
    .filter((segment) => !segment.startsWith('{'))
    .map((segment) => segment.charAt(0).toUpperCase() + segment.slice(1))
    .join('');

const refuse: AnyArmCode = armCode([], {
  handle(_call, { prefix }) {
    throw eventErrors.NotPartOfJar({ type: withPrefix(TYPE, prefix), reason: REASON });
  },
});

const refusal = (method: Method, path: string, operation: string, action: string): Route =>
  armRouteOf({ method, path, operation, summary: 'Not part of the jar', action, anyVersion: true }, refuse);

function refusalsOf(list: string, name: string, type: string, actions: readonly string[]): readonly Route[] {
  const one = `${list}/{${name}}`;
  const operations = operationOf(type.slice(NAMESPACE.length + 1));
  return [
    refusal('GET', list, `${operations}_List`, `${type}/read`),
    ...VERBS.map(([method, verb, permission]) =>
      refusal(method, one, `${operations}_${verb}`, `${type}/${permission}`),
    ),
    ...actions.map((action) =>
      refusal('POST', `${one}/${action}`, `${operations}_${action}`, `${type}/${action}/action`),
    ),
  ];
}

export const absentRoutes: readonly Route[] = [
  refusal('GET', `${SUBSCRIPTION}/providers/${TYPE}`, 'Namespaces_ListBySubscription', `${TYPE}/read`),
  ...refusalsOf(`${GROUP}/providers/${TYPE}`, 'namespaceName', TYPE, [
    'listKeys',
    'regenerateKey',
    'validateCustomDomainOwnership',
  ]),
  ...Object.entries(CHILDREN).flatMap(([path, actions]) =>
    refusalsOf(`${ONE}/${path}`, 'childName', `${TYPE}/${path.replaceAll(/\/\{[^}]+\}/g, '')}`, actions),
  ),
];
