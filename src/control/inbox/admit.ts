import { knownOrigin } from '../../kernel/auth/index.ts';
import { retryHeaders, sourceOf } from '../../kernel/limits/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { controlErrors } from '../family.ts';
import { NEW_INBOXES } from './bounds.ts';
import { inboxErrors } from './errors.ts';

type Sender = Pick<Call, 'jar' | 'remoteAddress' | 'headers' | 'origin' | 'secure'>;

/** True if a request may create an inbox without being counted: it comes from this machine and not from a page of another origin. */
export const mayCreateInbox = (call: Sender): boolean => !isStranger(call) && foreignPageOf(call) === undefined;

/** Decides whether any other request may create an inbox; anyone may send to an existing one. */
export async function admitNewInbox(call: Sender): Promise<void> {
  const origin = foreignPageOf(call);
  if (origin !== undefined) throw controlErrors.ForeignOrigin({ origin });
  if (isStranger(call)) await countNewInbox(call);
}

/**
 * A page that the user visits can send requests to this machine, though it cannot read the answers. It is recognised by its `Origin`, or by
 * `Sec-Fetch-Site` for requests without one, such as images.
 */
function foreignPageOf(call: Sender): string | undefined {
  const { origin, 'sec-fetch-site': site } = call.headers;
  if (typeof origin === 'string' && origin.toLowerCase() !== knownOrigin(call)) return origin;
  return site === 'cross-site' || site === 'same-site' ? site : undefined;
}

async function countNewInbox({ jar, remoteAddress }: Sender): Promise<void> {
  const source = sourceOf(remoteAddress);
  const decision = await jar.limits.take([{ limit: NEW_INBOXES, scope: [source] }], { id: source });
  if (decision.allowed) return;
  throw inboxErrors.TooManyNewInboxes({ source }, { headers: retryHeaders(decision) });
}

/**
 * True for another machine, and for this machine under a name that is not the jar's: a tunnel, or a page that has bound its own name to
 * this machine. GETs have no `Origin`, so these two cannot be distinguished, and both are counted.
 */
const isStranger = (call: Sender): boolean =>
  !isThisMachine(sourceOf(call.remoteAddress)) || knownOrigin(call) !== call.origin;

const isThisMachine = (source: string): boolean => source === '::1' || source.startsWith('127.');
