import { withPrefix } from '../../../kernel/arm/index.ts';
import type { Method, Route } from '../../../kernel/http/index.ts';
import { armRoute } from '../../../kernel/service/index.ts';
import { gatewayApiErrors } from '../errors.ts';
import { ABSENT_TYPES, type AbsentType } from './table.ts';

const ON_ONE: readonly (readonly [method: Method, verb: string, permission: string])[] = [
  ['GET', 'Get', 'read'],
  ['PUT', 'CreateOrUpdate', 'write'],
  ['PATCH', 'Update', 'write'],
  ['DELETE', 'Delete', 'delete'],
];

/**
 * APIs that official tools call and the jar does not have. All refuse with one explicit error, whose status clients do not retry and which
 * never looks like a success.
 */
export const absentRoutes: readonly Route[] = ABSENT_TYPES.flatMap((absent) => {
  const list = `/{scope}/providers/${absent.type}` as const;
  return [
    refusal(absent, 'GET', list, 'List', 'read'),
    ...ON_ONE.map(([method, verb, permission]) => refusal(absent, method, `${list}/{name}`, verb, permission)),
    ...(absent.actions ?? []).map((action) =>
      refusal(absent, 'POST', `${list}/{name}/${action}`, action, `${action}/action`),
    ),
  ];
});

type Path = `/{scope}/providers/${string}`;

function refusal(
  { type, operations, reason }: AbsentType,
  method: Method,
  path: Path,
  verb: string,
  permission: string,
) {
  return armRoute({
    method,
    path,
    operation: `${operations}_${verb}`,
    summary: `Not part of the jar: ${reason}`,
    action: `${type}/${permission}`,
    anyVersion: true,
    handle(_call, { prefix }) {
      throw gatewayApiErrors.NotPartOfJar({ type: withPrefix(type, prefix), reason });
    },
  });
}
