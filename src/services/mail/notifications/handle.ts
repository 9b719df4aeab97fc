import type { Caller } from '../../../kernel/auth/index.ts';
import type { Answer } from '../../../kernel/http/index.ts';
import { bodyReader, headOf } from '../api/handle.ts';
import { Operations } from '../api/operations.ts';
import { readPath } from '../api/path.ts';
import type { RequestHead } from '../api/request.ts';
import { acquireLimits } from '../api/request-limits.ts';
import { errors } from '../errors.ts';
import { type MailHttpCall, type MailJar, routeCode } from '../jar.ts';
import { SUBSCRIPTION_OPERATIONS } from './operations.ts';

const OPERATIONS = new Operations(SUBSCRIPTION_OPERATIONS);

/** Handles every request to `/subscriptions`, within the limits of the application. */
export async function performSubscriptions(
  jar: MailJar,
  caller: Caller,
  head: RequestHead,
  bytes: Buffer | undefined,
): Promise<Answer> {
  const { operation, params } = operationOf(head);
  const application = caller.applicationId.toLowerCase();
  const { ofTenant, ofApplication } = operation.limits;
  const uses = [
    { limit: ofTenant, scope: [application, caller.tenantId.toLowerCase()] },
    { limit: ofApplication, scope: [application] },
  ];
  const release = await acquireLimits(jar.limits, uses, caller);
  try {
    return await operation.handle({ ...head, jar, caller, params, json: bodyReader(head, bytes) });
  } finally {
    release?.();
  }
}

function operationOf({ method, version, path, origin }: RequestHead) {
  const read = readPath(path.split('/').filter(Boolean));
  if (!read) throw errors.BadRequest({ reason: 'The path is not encoded correctly.' });
  return OPERATIONS.find(method, version, read.segments, { prefix: `/${version}`, origin });
}

const PATH = /^\/[^/]+\/subscriptions(?:[/(]|$)/i;

/** Step of the family: rejects an unknown path before authentication. */
export function locateSubscriptions(call: MailHttpCall): void {
  if (PATH.test(call.path)) operationOf(headOf(call));
}

export const subscriptionRequests = routeCode([], {
  async handle(call) {
    const { caller, jar, body } = call;
    if (!caller) throw errors.InvalidAuthenticationToken({ reason: 'Access token is empty.' });
    const head = headOf(call);
    call.operation = `Mail_${operationOf(head).operation.name}`;
    return performSubscriptions(jar, caller, head, Buffer.isBuffer(body) && body.length > 0 ? body : undefined);
  },
});
