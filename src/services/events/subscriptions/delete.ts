import type { Tx } from '../../../kernel/store/index.ts';
import { acceptDeletion, DELETION_RESPONSES } from '../deletion.ts';
import { armCode } from '../jar.ts';
import { PARAMS, placeOf, pollingOf } from './place.ts';
import { removeSubscription } from './remove.ts';
import { lockSubscription } from './transitions.ts';

export const remove = armCode(PARAMS, {
  responses: DELETION_RESPONSES,
  handle(call, arm) {
    const place = placeOf(call, arm);
    const remove = async (tx: Tx) => {
      const subscription = await lockSubscription(tx, place.key);
      if (subscription) await removeSubscription(tx, call.jar, subscription);
      return subscription;
    };
    return acceptDeletion(call, arm, remove, pollingOf(place));
  },
});
