import { type ArmShape, MANAGEMENT } from '../../kernel/arm/index.ts';
import type { Answer, ApiFamily } from '../../kernel/http/index.ts';
import { isObject } from '../../kernel/values/index.ts';

interface SubscriptionShape extends ArmShape {
  readonly facts: ArmShape['facts'] & { isProvider?: boolean };
}

/** The header by which the gateway marks its own refusals. */
const FAILURE_CAUSE = 'x-ms-failure-cause';

/** The management API, but for errors of the provider itself, which have code and message at two levels. */
export const SUBSCRIPTION_FAMILY: ApiFamily<SubscriptionShape> = {
  ...MANAGEMENT,
  renderError(error, call): Answer {
    const answer = MANAGEMENT.renderError(error, call);
    return call.facts.isProvider && error.headers[FAILURE_CAUSE] === undefined ? atTwoLevels(answer) : answer;
  },
};

/** The text is that of the inner level, which speaks the provider prefix of the caller. */
function atTwoLevels(answer: Answer): Answer {
  if (!isObject(answer.body) || !isObject(answer.body.error)) return answer;
  const { code, message } = answer.body.error;
  return { ...answer, body: { ...answer.body, code, message } };
}

/** Behind the steps of the gateway: what is refused from here on is refused by the provider. */
export function enterProvider(call: { readonly facts: SubscriptionShape['facts'] }): void {
  call.facts.isProvider = true;
}
