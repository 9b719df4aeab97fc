import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { milliseconds } from '../../shared/format/numbers.ts';
import type { RequestDocument } from './curl.ts';

/** Sends a request again and goes to the repetition; a message of the jar is replayed with its delivery. */
export function useSendAgain({ id, delivery }: RequestDocument) {
  const go = useGo();
  const repeat = useAction(
    (token: 'original' | 'fresh') =>
      dataOf(control.POST('/_jar/requests/{id}/send', { params: { path: { id } }, body: { token } })),
    {
      done: ({ status, ms }) =>
        status === undefined
          ? 'Sent again; the connection was closed without an answer.'
          : `Sent again: ${status} after ${milliseconds(ms)}.`,
      after: (repetition) => {
        if (repetition.id !== undefined) go(addressOf('requests', repetition.id), { keep: true });
      },
    },
  );
  const replay = useAction(
    (deliveryId: string) =>
      dataOf(control.POST('/_jar/deliveries/{id}/replay', { params: { path: { id: deliveryId } } })),
    { done: 'The delivery is sent again.', after: (_, deliveryId) => go(addressOf('deliveries', deliveryId)) },
  );
  return {
    isSending: repeat.isRunning || replay.isRunning,
    send: (token: 'original' | 'fresh'): void =>
      void (delivery === undefined ? repeat.run(token) : replay.run(delivery.id)),
  };
}
