import type { Resource } from '../../../kernel/arm/index.ts';
import { isObject, type Json } from '../../../kernel/values/index.ts';

/** What the owner of a topic says of a private endpoint that leads to it. */
export type Decision = {
  readonly status: string;
  readonly description: string;
  readonly actionsRequired: string;
};

type Endpoint = Pick<Resource, 'id' | 'createdAt'>;

/** Beside the properties of the topic: it goes with it, and answers do not show it. */
const MEMBER = 'privateEndpoints';

/** One that was made anew under the same name is another endpoint. */
const keyOf = ({ id, createdAt }: Endpoint): string => `${id.toLowerCase()} ${createdAt}`;

/** Undefined where nobody has said anything. */
export function decisionOn({ extra }: Pick<Resource, 'extra'>, endpoint: Endpoint): Decision | 'removed' | undefined {
  const decisions = extra[MEMBER];
  const found = isObject(decisions) ? decisions[keyOf(endpoint)] : undefined;
  if (found === undefined) return undefined;
  if (!isObject(found)) return 'removed';
  const { status, description, actionsRequired } = found;
  return { status: String(status), description: String(description), actionsRequired: String(actionsRequired) };
}

/** The topic with it. */
export function withDecision(parent: Resource, endpoint: Endpoint, decision: Decision | 'removed'): Resource {
  const before = parent.extra[MEMBER];
  const decisions = { ...(isObject(before) && before), [keyOf(endpoint)]: decision };
  return { ...parent, extra: { ...parent.extra, [MEMBER]: decisions } };
}

/** What a PUT of the topic keeps of it. */
export function keptDecisions(existing: Pick<Resource, 'extra'> | undefined): { readonly [member: string]: Json } {
  const before = existing?.extra[MEMBER];
  return before === undefined ? {} : { [MEMBER]: before };
}
