import { type ArmShape, MANAGEMENT } from '../../kernel/arm/index.ts';
import type { Answer, ApiFamily } from '../../kernel/http/index.ts';
import { isObject } from '../../kernel/values/index.ts';

interface SubscriptionShape extends ArmShape {
  readonly facts: ArmShape['facts'] & { isProvider?: boolean };
}

/** The header with which the gateway marks its own errors. */
const FAILURE_CAUSE = 'x-ms-failure-cause';

/** The management family, except that errors of the provider itself have code and message at two levels. */
export const SUBSCRIPTION_FAMILY: ApiFamily<SubscriptionShape> = {
  ...MANAGEMENT,
  renderError(error, call): Answer {
    const answer = MANAGEMENT.renderError(error, call);
    return call.facts.isProvider && error.headers[FAILURE_CAUSE] === undefined ? atTwoLevels(answer) : answer;
  },
};

/** The message is taken from the inner level, where the caller's provider prefix is already applied. */
function atTwoLevels(answer: Answer): Answer {
  if (!isObject(answer.body) || !isObject(answer.body.error)) return answer;
  const { code, message } = answer.body.error;
  return { ...answer, body: { ...answer.body, code, message } };
}

/** Runs after the steps of the gateway: errors from here on are errors of the provider. */
export function enterProvider(call: { readonly facts: SubscriptionShape['facts'] }): void {
  call.facts.isProvider = true;
}
