import { type AnyArmCode, beginOperation, mutate, originOf, type Subscription } from '../../../kernel/arm/index.ts';
import { noContent } from '../../../kernel/http/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import type { Home, Owned } from '../collections.ts';
import { armCode, type DataShareJar } from '../jar.ts';
import { accepted202 } from '../operations.ts';
import { NAMESPACE } from '../types.ts';
import type { Remains } from '../work.ts';
import type { ChildCall, ChildKind, Parent } from './child.ts';
import { removeChild } from './child-code.ts';
import { removeLater } from './removals.ts';

/**
 * DELETE of a resource with contents: the resource disappears at once, and 202 names an operation that ends when its contents are removed;
 * 204 if it does not exist.
 */
export function removeLaterCode<D extends Owned, P extends Parent>(
  kind: ChildKind<D, P>,
  of: Remains['of'],
  locationOf: (document: D) => Pick<Home, 'location'>,
  onRemove: (tx: Tx, document: D, jar: DataShareJar) => Promise<void> = async () => {},
): AnyArmCode {
  return armCode(kind.params, {
    responses: {
      202: 'Accepted; the Location header gives the URL of the operation',
      204: 'The resource does not exist',
    },
    async handle(call: ChildCall, arm) {
      const { jar } = call;
      const operation = await mutate(call, async (tx) => {
        const removed = await removeChild(tx, kind, call, arm, onRemove);
        if (!removed) return undefined;
        const now = jar.clock.now();
        const { subscriptionId } = arm.subscription as Subscription;
        const { location } = locationOf(removed.document);
        const about = { subscriptionId, location, namespace: NAMESPACE, origin: originOf(call) };
        const begun = await beginOperation(tx, about, now);
        await removeLater(tx, { of, uid: removed.document.uid, operation: begun.id }, now);
        return begun;
      });
      return operation ? accepted202(call, operation) : noContent();
    },
  });
}
