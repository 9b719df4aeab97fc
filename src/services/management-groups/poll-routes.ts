import { Type } from 'typebox';
import { armRouteOf } from '../../kernel/arm/index.ts';
import type { Route } from '../../kernel/http/index.ts';
import { armCode } from '../../kernel/service/index.ts';
import { pollResult, pollStatus } from './operations.ts';
import { OldOperationSchema, OperationSchema } from './schemas.ts';
import { NAMESPACE } from './types.ts';

const Outcome = Type.Union([OperationSchema, OldOperationSchema]);

const NAMES = { create: 'Create', delete: 'Delete' } as const;

/** Polling routes; they accept any api-version. */
export const pollRoutes: readonly Route[] = (['create', 'delete'] as const).flatMap((kind) => {
  const base = `/providers/${NAMESPACE}/operationResults/${kind}`;
  const common = { method: 'GET', action: `${NAMESPACE}/operationResults/read`, anyVersion: true } as const;
  return [
    armRouteOf(
      {
        ...common,
        path: `${base}/asyncOperation/status/managementGroups/{groupId}`,
        operation: `ManagementGroupOperations_${NAMES[kind]}Status`,
        summary: `The status of the request to ${kind} a management group`,
        tenantLevel: true,
        isPoll: true,
      },
      armCode(['groupId'], {
        responses: { 200: OperationSchema },
        handle: (call, arm) => pollStatus(call, arm, kind),
      }),
    ),
    armRouteOf(
      {
        ...common,
        path: `${base}/managementGroups/{groupId}`,
        operation: `ManagementGroupOperations_${NAMES[kind]}Result`,
        summary: `The outcome of the request to ${kind} a management group: 202 while it runs`,
        tenantLevel: true,
        isPoll: true,
      },
      armCode(['groupId'], {
        responses: { 200: Outcome, 202: Outcome },
        handle: (call, arm) => pollResult(call, arm, kind),
      }),
    ),
  ];
});
