import { awaitOperation, withPrefix } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { armCode } from '../jar.ts';

/** Without this header clients wait half a minute; an operation of the jar ends within milliseconds. */
const RETRY_AFTER_SECONDS = '1';

/** Only `id`, `name` and `status`, and `error` after a failure: the provider shows no more of an operation. */
export const status = armCode(['operationId'], {
  async handle(call, { apiVersion, prefix }) {
    const { id: name, status, error } = await awaitOperation(call, call.params.operationId);
    const path = withPrefix(call.url.split('?', 1)[0] ?? '', prefix);
    const id = `${call.origin}${path}?api-version=${apiVersion}`;
    const headers = status === 'InProgress' ? { 'retry-after': RETRY_AFTER_SECONDS } : undefined;
    return ok({ id, name, status, ...(error && { error }) }, headers);
  },
});
